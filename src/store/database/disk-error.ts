import { CeriseError } from '#shared/errors/errors.ts';
import { machineFull } from '#shared/errors/machine-full.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** What a disk refused, as an error a person can act on. `place` says which folder it was. */
export function diskError(error: unknown, place: Words): CeriseError {
  if (error instanceof CeriseError) return error;
  const full = machineFull(error, 'storage_unavailable');
  if (full) return full;
  const code = systemCode(error) ?? String(error);
  if (fullCodes.has(code))
    return new CeriseError(
      'disk_full',
      say('db-full')`The disk is full. Free up some space. Nothing was lost.`,
      { cause: error },
    );
  return new CeriseError(
    'storage_unavailable',
    say('folder-unusable')`${place} can't be used (${code}).`,
    {
      hint: say(
        'folder-unusable-hint',
      )`Check that the folder exists and that Cerise can write to it.`,
      cause: error,
    },
  );
}
