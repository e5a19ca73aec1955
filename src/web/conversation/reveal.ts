import { groupName, groupOf, messageName } from './block-groups.ts';

/** Frames in which what is drawn on the way may still move the place. */
const patience = 120;
const settledAfter = 4;

/**
 * Brings a message, or a block of it, into sight, although it may not be drawn yet: goes to its place
 * and waits until it is. Resolves to it, or to null if it is not there or the reader moved meanwhile.
 */
export async function reveal(
  scroller: Element,
  messageId: string,
  ordinal?: number,
): Promise<Element | null> {
  const stop = new AbortController();
  for (const moved of ['wheel', 'touchstart', 'pointerdown'])
    scroller.addEventListener(moved, () => stop.abort(), { signal: stop.signal, passive: true });
  let still = 0;
  let last = NaN;
  for (let frame = 0; frame < patience && !stop.signal.aborted; frame += 1) {
    const { element, isDrawn } = find(scroller, messageId, ordinal);
    if (!element) break;
    element.scrollIntoView({
      block: ordinal === undefined ? 'start' : 'center',
      behavior: 'instant',
    });
    const { top } = element.getBoundingClientRect();
    still = isDrawn && Math.abs(top - last) < 1 ? still + 1 : 0;
    last = top;
    if (still >= settledAfter) {
      stop.abort();
      return element;
    }
    await new Promise(requestAnimationFrame);
  }
  stop.abort();
  return null;
}

/** The element, or the nearest place around it that is there already. */
function find(
  scroller: Element,
  messageId: string,
  ordinal: number | undefined,
): { element: Element | null; isDrawn: boolean } {
  const slot = scroller.querySelector(`[data-slot="${CSS.escape(messageName(messageId))}"]`);
  const article = slot?.querySelector('article');
  if (!slot || !article) return { element: slot, isDrawn: false };
  if (ordinal === undefined) return { element: article, isDrawn: true };
  const block = article.querySelector(`[data-testid="block"][data-ordinal="${ordinal}"]`);
  if (block) return { element: block, isDrawn: true };
  const group = article.querySelector(`[data-slot="${groupName(groupOf(ordinal))}"]`);
  return { element: group ?? article, isDrawn: group === null };
}
