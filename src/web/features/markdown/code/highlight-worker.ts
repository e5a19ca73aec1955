import { type LineHighlighter, openLanguage, type Piece } from './highlight-engine.ts';

/** Further lines of a code, or its end. Each code is known by a number. */
export type HighlightRequest =
  | { code: number; language: string; lines: string }
  | { code: number; closed: true };

/** The lines in pieces; null where the language is not known. */
export interface HighlightReply {
  pieces: Piece[][] | null;
}

const codes = new Map<number, Promise<LineHighlighter | undefined>>();
let queue: Promise<void> = Promise.resolve();

/** Runs beside the page, so that grammars cost the page nothing. Replies come in order. */
addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  queue = queue.then(() => handle(data));
});

async function handle(request: HighlightRequest): Promise<void> {
  if ('closed' in request) return void codes.delete(request.code);
  const { code, language, lines } = request;
  const known = codes.get(code) ?? openLanguage(language).then((open) => open?.());
  codes.set(code, known);
  let pieces: Piece[][] | null = null;
  try {
    pieces = (await known)?.(lines) ?? null;
  } catch (error) {
    console.warn('Code is shown plain:', error);
  }
  postMessage({ pieces } satisfies HighlightReply);
}
