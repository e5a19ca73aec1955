import type { Pictures } from '../data/pictures.ts';
import { piecesOf } from '../runs/brought-messages.ts';
import { RunReaders } from '../runs/run-readers.ts';
import { Runs } from '../runs/runs.ts';
import { UiAnswers } from '../runs/ui-answers.ts';
import type { Quota } from '../data/quota.ts';
import type { Base } from './base.ts';
import type { Engine } from './engine.ts';

type RunsParts = Omit<
  ConstructorParameters<typeof Runs>[0],
  'readers' | 'approvals' | 'fetchPicture'
>;

/** Requests of programs and pages, and who reads their answers. */
export function createRuns(
  { store, limits, logger, once }: Base,
  parts: RunsParts,
  { approvals }: Pick<Engine, 'approvals'>,
  { pictures, quota }: { pictures: Pictures; quota: Quota },
): { runs: Runs; readers: RunReaders; uiAnswers: UiAnswers } {
  const { messages } = parts;
  const readers = new RunReaders({
    store,
    limits,
    logger,
    stop: ({ owner, answerId }) => messages.stop(owner, answerId),
  });
  const fetchPicture = (url: string) =>
    pictures.fetch(url, AbortSignal.timeout(limits.callIdleTime));
  const runs = new Runs({ ...parts, readers, approvals, fetchPicture });
  const uiAnswers = new UiAnswers({
    ...parts,
    once,
    approvals,
    fetchPicture,
    keepUpload: async (owner, { mimeType, bytes, name }, origins) => {
      const size = bytes.reduce((sum, piece) => sum + piece.length, 0);
      const facts = {
        owner,
        mimeType,
        ...(name !== undefined && { name }),
        ...(origins && { origins }),
      };
      const keep = () => parts.blobs.keep(piecesOf(bytes), facts);
      return (await quota.upload(owner, size, keep)).id;
    },
  });
  return { runs, readers, uiAnswers };
}
