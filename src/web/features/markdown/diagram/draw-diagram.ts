import {
  type DiagramAnswer,
  diagramLimits,
  type DiagramLook,
  type DiagramRequest,
} from './diagram-protocol.ts';

const idleMs = 30_000;
/** What would load or run something in the frame, if its policy let it. */
const harmful = /url\s*\(|@import|<[^>]{0,500}\son[a-z]+\s*=/i;

let frame: Promise<HTMLIFrameElement> | undefined;
let queue: Promise<unknown> = Promise.resolve();
let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * Draws a diagram in a frame without origin and network. Gives SVG text, which must be shown as a
 * picture and nothing else. Throws with a reason where it cannot be drawn.
 */
export function drawDiagram(source: string, look: DiagramLook): Promise<string> {
  const drawn = queue.then(() => draw({ source, look }));
  queue = drawn.catch(() => undefined);
  return drawn;
}

async function draw(request: DiagramRequest): Promise<string> {
  if (request.source.length > diagramLimits.source) throw new Error('The diagram is too large.');
  if (harmful.test(request.source)) throw new Error('It would load or run something.');
  clearTimeout(idle);
  const answer = await ask(request).catch((error: unknown) => {
    closeFrame();
    throw error;
  });
  idle = setTimeout(closeFrame, idleMs);
  if ('error' in answer) throw new Error(answer.error.slice(0, 500));
  if (answer.svg.length > diagramLimits.svg) throw new Error('The drawing is too large.');
  return answer.svg;
}

async function ask(request: DiagramRequest): Promise<DiagramAnswer> {
  frame ??= openFrame();
  const { contentWindow } = await withLimit(frame, diagramLimits.load);
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<DiagramAnswer>((resolve, reject) => {
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isAnswer(data)) resolve(data);
      else reject(new Error('The frame answered something else.'));
    });
  });
  port1.start();
  // The frame has no origin that could be named.
  contentWindow?.postMessage(request, '*', [port2]);
  try {
    return await withLimit(answered, diagramLimits.time);
  } finally {
    port1.close();
  }
}

/** Out of sight but laid out, so that words can be measured. */
function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-scripts');
  element.src = '/diagram.html';
  element.className = 'diagram-frame';
  element.inert = true;
  element.setAttribute('aria-hidden', 'true');
  return new Promise((resolve) => {
    element.addEventListener('load', () => resolve(element), { once: true });
    document.body.append(element);
  });
}

function closeFrame(): void {
  frame = undefined;
  for (const element of document.querySelectorAll('.diagram-frame')) element.remove();
}

function isAnswer(data: unknown): data is DiagramAnswer {
  const { svg, error } = (data ?? {}) as { svg?: unknown; error?: unknown };
  return typeof svg === 'string' || typeof error === 'string';
}

async function withLimit<T>(work: Promise<T>, time: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DOMException('Drawing took too long.', 'TimeoutError')),
      time,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
