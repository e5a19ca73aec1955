/**
 * Gives the focus a place where what had it is gone: where messages are written, else the page itself.
 * Waits for components that give it back on their own, and takes it from none that has it.
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
