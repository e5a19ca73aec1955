import { groupName, groupOf, messageName } from './block-groups.ts';

/** Frames in which what is drawn on the way may still move the place. */
const patienceFrames = 120;
const settledAfter = 4;

/**
 * Brings a message, or a block of it, into sight, although it may not be drawn yet: goes to its place
 * and waits until it is. Resolves to it, or to null if it is not there, the reader moved meanwhile, or
 * `signal` says that something else is wanted.
 */
export async function reveal(
  scroller: Element,
  place: { messageId: string; ordinal?: number },
  signal: AbortSignal,
): Promise<Element | null> {
  const left = new AbortController();
  const listen = { signal: left.signal, passive: true };
  for (const moved of ['wheel', 'touchstart', 'pointerdown'])
    scroller.addEventListener(moved, () => left.abort(), listen);
  const isWanted = () => !signal.aborted && !left.signal.aborted;
  const target = await approach(scroller, place, isWanted);
  left.abort();
  return target;
}

async function approach(
  scroller: Element,
  { messageId, ordinal }: { messageId: string; ordinal?: number },
  isWanted: () => boolean,
): Promise<Element | null> {
  let still = 0;
  for (let frame = 0; frame < patienceFrames && isWanted(); frame += 1) {
    const { element, isDrawn } = find(scroller, messageId, ordinal);
    if (!element) return null;
    const before = element.getBoundingClientRect().top;
    const block = ordinal === undefined ? 'start' : 'center';
    element.scrollIntoView({ block, behavior: 'instant' });
    const moved = Math.abs(element.getBoundingClientRect().top - before);
    still = isDrawn && moved < 1 ? still + 1 : 0;
    if (still >= settledAfter) return element;
    await new Promise(requestAnimationFrame);
  }
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
  // What is drawn but folded away is shown by what it is folded into.
  const group = article.querySelector(`[data-slot="${groupName(groupOf(ordinal))}"]`);
  const isDrawn = group === null || group.getAttribute('data-drawn') === 'true';
  return { element: group ?? article, isDrawn };
}
