import type { Piece } from './highlight-engine.ts';
import type { HighlightReply, HighlightRequest } from './highlight-worker.ts';

/** Highlights one code, line after line; undefined where that cannot be done. */
export interface CodeHighlighter {
  highlight(lines: string): Promise<Piece[][] | undefined>;
  close(): void;
}

type Waiting = (pieces: Piece[][] | undefined) => void;

/** How long the worker may be silent while something waits. */
const patienceMs = 10_000;

let worker: Worker | undefined;
let waiting: Waiting[] = [];
let watch: ReturnType<typeof setTimeout> | undefined;
let lastCode = 0;

/** Opens a highlighter for a code in some language. All share one worker, begun at the first use. */
export function openHighlighter(language: string): CodeHighlighter {
  lastCode += 1;
  const code = lastCode;
  const own = begin();
  // A worker that was given up took the state of the code with it.
  const isGone = () => own !== worker;
  return {
    highlight: (lines) =>
      new Promise((resolve) => {
        if (isGone()) return resolve(undefined);
        waiting.push(resolve);
        own.postMessage({ code, language, lines } satisfies HighlightRequest, []);
        keepWatch();
      }),
    close() {
      if (!isGone()) own.postMessage({ code, closed: true } satisfies HighlightRequest, []);
    },
  };
}

function begin(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('highlight-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    waiting.shift()?.(data.pieces ?? undefined);
    keepWatch();
  });
  worker.addEventListener('error', giveUp);
  return worker;
}

function keepWatch(): void {
  clearTimeout(watch);
  if (waiting.length > 0) watch = setTimeout(giveUp, patienceMs);
}

/** A grammar that hangs, or a script that cannot be loaded: what waits stays plain. */
function giveUp(): void {
  clearTimeout(watch);
  worker?.terminate();
  worker = undefined;
  const left = waiting;
  waiting = [];
  for (const resolve of left) resolve(undefined);
}
