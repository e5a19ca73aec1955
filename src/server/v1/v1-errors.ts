import { type ErrorCode, errorStatus, type ErrorInfo, fullMessage } from '#shared/errors/errors.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';

/** The API whose format an error has. */
export type Vendor = 'openai' | 'anthropic';

/** Failures of models that these APIs have a status of their own for. */
const statuses: Partial<Record<ErrorCode, number>> = {
  model_rate_limited: 429,
  model_context_too_long: 400,
  response_not_found: 404,
};

/** What a model's vendor said when it refused a request, as far as it is known. */
interface VendorFacts {
  status?: number;
  /** In seconds. */
  retryAfter?: number;
}

/** Failures of models that do not go away by themselves. */
const lasting: ReadonlySet<ErrorCode> = new Set(['model_unauthorized', 'model_no_credit']);

/** Which vendor's API a request is one of; undefined for our own. Both have a list of models. */
export function vendorOf(request: Request): Vendor | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/v1/') && pathname !== '/v1') return undefined;
  const isAnthropics = pathname.startsWith('/v1/messages');
  return isAnthropics || request.headers.has('anthropic-version') ? 'anthropic' : 'openai';
}

/** An error as clients of a vendor know it. `isFinal`: trying again does no good. */
export function vendorError(error: ErrorInfo, vendor: Vendor, { isFinal = false } = {}): Response {
  const status = statusOf(error);
  const { retryAfter } = detailsOf(error);
  const isPassing = status === 429 || (status >= 500 && status !== 504);
  return Response.json(errorBody(error, vendor), {
    // Overload has a number of its own there.
    status: vendor === 'anthropic' && status === 503 ? 529 : status,
    headers: {
      'x-should-retry': String(!isFinal && isPassing && !lasting.has(error.code)),
      ...(typeof retryAfter === 'number' && { 'retry-after': String(Math.ceil(retryAfter)) }),
    },
  });
}

/** The body of an error response, which streams contain as well. */
export function errorBody(error: ErrorInfo, vendor: Vendor): object {
  const message = fullMessage(error);
  const status = statusOf(error);
  if (vendor === 'anthropic')
    return {
      type: 'error',
      error: {
        type: anthropicType(status),
        message,
        code: error.code,
        ...(error.code === 'response_not_found' && { details: threadNotFound }),
      },
    };
  return {
    error: { message, type: openAiType(status), param: paramOf(error), code: codeOf(error) },
  };
}

/** Anthropic's clients then send the whole conversation again. */
const threadNotFound = { error_code: 'thread_not_found' };

/** The code as OpenAI calls it, where clients look at it. */
export function codeOf({ code }: ErrorInfo): string {
  return openAiCodes[code] ?? code;
}

const openAiCodes: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_api_key',
  model_context_too_long: 'context_length_exceeded',
  model_rate_limited: 'rate_limit_exceeded',
  model_no_credit: 'insufficient_quota',
};

/** A client need not retry what the model's vendor refused, but can if the vendor was overloaded. */
function statusOf(error: ErrorInfo): number {
  const { code } = error;
  const { status } = detailsOf(error);
  if (code === 'model_failed' && (status === 400 || status === 422)) return 400;
  if (code === 'model_failed' && (status === 503 || status === 529)) return 503;
  return statuses[code] ?? errorStatus[code];
}

/** The details of a failure of a model. */
function detailsOf({ details }: ErrorInfo): VendorFacts {
  return isJsonObject(details) ? details : {};
}

/** The first invalid field. */
function paramOf({ details }: ErrorInfo): string | null {
  if (!Array.isArray(details)) return null;
  const [first] = details as { path?: unknown }[];
  return typeof first?.path === 'string' && first.path !== '' ? first.path : null;
}

function openAiType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

function anthropicType(status: number): string {
  const types: Record<number, string> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    503: 'overloaded_error',
    504: 'timeout_error',
  };
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
