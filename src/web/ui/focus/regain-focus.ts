/**
 * Gives the focus a place where what had it is gone: where messages are written, else the page itself.
 * Waits for whoever gives it back by themselves, and changes nothing for who has it.
 */
export function regainFocus(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const { activeElement, body } = document;
      if (activeElement !== null && activeElement !== body) return;
      const composer = document.querySelector<HTMLElement>('[data-testid="composer"]');
      (composer ?? document.querySelector('main'))?.focus({ preventScroll: true });
    }),
  );
}
