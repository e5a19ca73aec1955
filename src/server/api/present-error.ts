import type { z } from 'zod';
import {
  errorInfo,
  CeriseError,
  type ErrorCode,
  errorStatus,
  type ErrorInfo,
  toErrorInfo,
} from '#shared/errors/errors.ts';
import { issueWords } from '#shared/errors/issue-words.ts';
import { machineFull } from '#shared/errors/machine-full.ts';
import { say, textOf } from '#shared/errors/sentence.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** Any failure as the API's answer. What is a bug keeps its words in the log. */
export function presentError(
  error: unknown,
  logger: Logger,
  toResponse: (error: ErrorInfo) => Response = errorResponse,
): Response {
  if (error instanceof CeriseError) {
    const level = troubling[error.code];
    if (level) logger[level](describe(error), 'A request failed because of a storage problem');
    return toResponse(toErrorInfo(error));
  }
  const full = machineFull(error, 'storage_unavailable');
  if (full) {
    logger.error(toErrorInfo(full), 'A request failed because this machine reached a limit');
    return toResponse(toErrorInfo(full));
  }
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error({ ...toErrorInfo(error), stack }, 'A request failed because of an internal error');
  return toResponse(
    errorInfo('internal', say('bug-inside')`Something went wrong in Cerise.`, {
      hint: say(
        'bug-inside-hint',
      )`Try again. If it keeps happening, ask an admin to check the host log.`,
    }),
  );
}

/** What an admin has to know, no matter whose request it was. */
const troubling: Partial<Record<ErrorCode, 'warn' | 'error'>> = {
  data_unreadable: 'error',
  disk_full: 'error',
  storage_unavailable: 'warn',
};

function describe(error: CeriseError): object {
  const { code, message } = toErrorInfo(error);
  return { code, message, cause: error.cause instanceof Error ? error.cause.message : undefined };
}

function errorResponse(error: ErrorInfo): Response {
  return Response.json({ error }, { status: errorStatus[error.code] });
}

/** What is wrong with a request that does not fit its schema. */
export function invalidRequest(issues: readonly z.core.$ZodIssue[]): CeriseError {
  const details = issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: textOf(issueWords(issue)),
  }));
  const [first] = issues;
  const where = details[0]?.path || 'body';
  const wrong = first ? issueWords(first) : say('issue-invalid')`isn't valid`;
  return new CeriseError(
    'invalid_request',
    say('request-invalid')`Invalid request. ${where}: ${wrong}.`,
    { details },
  );
}
