import { say } from './sentence.ts';
import { CeriseError } from './errors.ts';
import { limits } from './limits.ts';

/** Throws `file_too_large` for what is larger than a file may be. */
export function refuseLargeFile(size: number): void {
  if (size <= limits.file) return;
  const most = limits.file / 1024 / 1024;
  throw new CeriseError('file_too_large', say('file-over')`The file is larger than ${most} MiB.`, {
    hint: say('file-over-hint')`Send a smaller file, or a part of it.`,
  });
}
