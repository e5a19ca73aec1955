import { CeriseError, errorStatus, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';

/** Any failure as the API's answer. What is a bug keeps its words in the log. */
export function presentError(error: unknown, logger: Logger): Response {
  if (error instanceof CeriseError) return errorResponse(toErrorInfo(error));
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error({ ...toErrorInfo(error), stack }, 'A request failed because of a bug');
  return errorResponse({ code: 'internal', message: 'Something went wrong inside Cerise.' });
}

function errorResponse(error: ErrorInfo): Response {
  return Response.json({ error }, { status: errorStatus[error.code] });
}

/** What is wrong with a request that does not fit its schema. */
export function invalidRequest(
  issues: readonly { path: PropertyKey[]; message: string }[],
): CeriseError {
  const details = issues.slice(0, 20).map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  const [first] = details;
  const where = first?.path ? `${first.path}: ` : '';
  return new CeriseError(
    'invalid_request',
    `The request is not valid. ${where}${first?.message ?? ''}`,
    { details },
  );
}
