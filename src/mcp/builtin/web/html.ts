import { Worker } from 'node:worker_threads';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { machineFull } from '#shared/errors/machine-full.ts';
import { scriptUrl } from '../../process/script-url.ts';
import type { HtmlJob } from './html-worker.ts';

const unreadable = say(
  'fetch-tangled',
)`The page is too large or too complex to convert. Try fetch_html.`;

/**
 * HTML as Markdown or as plain text. It runs beside the main thread, with bounds on time and memory:
 * parsing a hostile page can take minutes. Throws CeriseError.
 */
export async function convertHtml(
  job: HtmlJob,
  signal: AbortSignal,
  maxTime = 10_000,
): Promise<string> {
  signal.throwIfAborted();
  const worker = startWorker(job);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(maxTime)]);
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The converter ended without a result.')));
      limit.addEventListener('abort', () => reject(limit.reason), { once: true });
    });
  } catch (cause) {
    if (signal.aborted)
      throw new CeriseError('cancelled', say('fetch-cancelled')`The fetch was cancelled.`, {
        cause,
      });
    throw (
      machineFull(cause, 'tool_failed') ??
      new CeriseError('unreadable_response', unreadable, { cause })
    );
  } finally {
    await worker.terminate();
  }
}

function startWorker(workerData: HtmlJob): Worker {
  try {
    return new Worker(scriptUrl(new URL('./html-worker.ts', import.meta.url)), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
  } catch (cause) {
    throw machineFull(cause, 'tool_failed') ?? cause;
  }
}
