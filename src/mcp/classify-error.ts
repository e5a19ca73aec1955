import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { CeriseError } from '#shared/errors.ts';
import { oversized } from './oversized.ts';

/** Where a failure happened: only a call that was sent can have an unknown outcome. */
export type Phase = 'connect' | 'list' | 'call';

const refused: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);
const gatewayStatus: ReadonlySet<number> = new Set([502, 504]);
const methodNotFound = -32601;
const invalidParams = -32602;

/** Gives anything the SDK, the network or a transport threw its one meaning. Pure. */
export function classifyError(error: unknown, phase: Phase): CeriseError {
  if (error instanceof CeriseError) return error;
  if (ProtocolError.isInstance(error)) return protocolError(error, phase);
  const status = httpStatus(error);
  if (status !== undefined) return httpError(status, error, phase);
  if (SdkError.isInstance(error)) return sdkError(error, phase);
  return networkError(error, phase);
}

/** The HTTP status a failure carries, however the SDK wrapped it. */
function httpStatus(error: unknown): number | undefined {
  if (SdkHttpError.isInstance(error)) return error.status;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'UnauthorizedError') return 401;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'number' && code >= 300 && code < 600) return code;
  const found = /\(HTTP (\d{3})\)/.exec(error.message);
  return found ? Number(found[1]) : undefined;
}

function protocolError(error: ProtocolError, phase: Phase): CeriseError {
  if (error.data === oversized) {
    return new CeriseError('result_too_large', error.message, { cause: error });
  }
  const unknownTool =
    phase === 'call' &&
    (error.code === methodNotFound || error.code === invalidParams) &&
    /tool.{0,200}(not found|unknown)|unknown tool/is.test(error.message);
  if (unknownTool) {
    return new CeriseError('tool_not_found', `The server answered: ${error.message}`, {
      hint: 'The list of tools may have changed. Load it again.',
      details: { code: error.code },
      cause: error,
    });
  }
  return new CeriseError('protocol_error', `The server answered: ${error.message}`, {
    details: { code: error.code },
    cause: error,
  });
}

function httpError(status: number, cause: unknown, phase: Phase): CeriseError {
  if (phase === 'call' && gatewayStatus.has(status)) {
    return unknownOutcome(`A gateway answered with HTTP status ${status}.`, cause);
  }
  const hint =
    status === 401 || status === 403
      ? 'Check the credentials in the headers of this server.'
      : 'Check the address of this server.';
  return new CeriseError('http_error', `The server answered with HTTP status ${status}.`, {
    hint,
    details: { status },
    cause,
  });
}

function sdkError(error: SdkError, phase: Phase): CeriseError {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new CeriseError('timed_out', 'The server did not answer in time.', { cause: error });
    case SdkErrorCode.ConnectionClosed:
      return phase === 'call'
        ? unknownOutcome('The connection ended while the call was running.', error)
        : new CeriseError('connection_lost', 'The server ended the connection.', { cause: error });
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return new CeriseError('connection_lost', 'The connection to the server is closed.', {
        cause: error,
      });
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return new CeriseError('unreadable_response', 'The answer of the server cannot be read.', {
        hint: error.message.slice(0, 500),
        cause: error,
      });
    default:
      return new CeriseError('protocol_error', error.message, { cause: error });
  }
}

function networkError(error: unknown, phase: Phase): CeriseError {
  const code = causeCode(error);
  if (code !== undefined && refused.has(code)) {
    return new CeriseError('connection_refused', `The server cannot be reached (${code}).`, {
      hint: 'Check that it is running and that its address is right.',
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (message === 'Not connected') {
    return new CeriseError('connection_lost', 'The connection to the server is closed.', {
      cause: error,
    });
  }
  if (phase === 'call') return unknownOutcome(`The connection failed: ${message}.`, error);
  if (error instanceof SyntaxError) {
    return new CeriseError('unreadable_response', 'The answer of the server cannot be read.', {
      cause: error,
    });
  }
  return new CeriseError('connection_lost', `The connection failed: ${message}.`, { cause: error });
}

function unknownOutcome(reason: string, cause: unknown): CeriseError {
  return new CeriseError('outcome_unknown', `${reason} Whether the tool did its work is unknown.`, {
    hint: 'Check what the tool has done before you repeat the call.',
    cause,
  });
}

function causeCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  // The event source of the SSE transport hands over the message only.
  const message = error instanceof Error ? error.message : '';
  return [...refused].find((code) => message.includes(code));
}
