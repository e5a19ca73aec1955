import { CeriseError, type ErrorCode } from './errors.ts';
import { say } from './sentence.ts';
import { systemCode } from './system-code.ts';

/** What the system calls it. */
export const fullMachineCodes: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'ERR_WORKER_INIT_FAILED',
]);

/** Whether the machine has reached a limit (descriptors, processes, memory): the same may work later. */
export function isMachineFull(error: unknown): boolean {
  return fullMachineCodes.has(systemCode(error) ?? '');
}

/** Such a failure as an error a person can act on; undefined for any other. */
export function machineFull(error: unknown, code: ErrorCode): CeriseError | undefined {
  return isMachineFull(error) ? outOfFiles(code, systemCode(error) ?? '', error) : undefined;
}

/** The same where only the name of the failure is known. */
export function outOfFiles(code: ErrorCode, reason: string, cause?: unknown): CeriseError {
  const message = say(
    'out-of-files',
  )`Cerise has too many open files or processes, or not enough memory (${reason}).`;
  const hint = say(
    'out-of-files-hint',
  )`Stop servers you don't need, or raise the open file limit (ulimit -n) and restart Cerise.`;
  return new CeriseError(code, message, { hint, cause });
}
