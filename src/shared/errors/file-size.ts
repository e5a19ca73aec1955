import { CeriseError } from './errors.ts';
import { say } from './sentence.ts';

/** Throws `file_too_large` for what is larger than a file may be. */
export function refuseLargeFile(size: number, largest: number): void {
  if (size <= largest) return;
  const most = largest / 1024 / 1024;
  throw new CeriseError('file_too_large', say('file-over')`The file is larger than ${most} MiB.`, {
    hint: say('file-over-hint')`Use a smaller file, or only part of it.`,
  });
}
