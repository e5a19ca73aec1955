import { CeriseError, toErrorInfo, type ErrorCode, type ErrorInfo } from '#shared/errors.ts';
import { truncate } from '#shared/text.ts';
import { gatherEvidence, type Evidence } from './model-evidence.ts';

/** What `ErrorInfo.details` of a model's error may hold. `retryAfter` is seconds. */
export interface ModelErrorDetails {
  status?: number;
  /** The system's or the vendor's own code, such as `ECONNREFUSED`. */
  reason?: string;
  retryAfter?: number;
  /** The vendor's own sentence, secrets removed. */
  vendorMessage?: string;
}

type Verdict = Pick<ErrorInfo, 'code' | 'message' | 'hint'>;

/**
 * What a failed model request means to a person. Pure. `secrets` are texts that must not appear in
 * the answer, such as the key in use.
 */
export function classifyModelError(error: unknown, secrets: string[] = []): ErrorInfo {
  if (error instanceof CeriseError) return toErrorInfo(error);
  const evidence = gatherEvidence(error);
  const verdict = judge(evidence);
  const details = describe(evidence, verdict.code, secrets);
  const hint = verdict.code === 'model_rate_limited' ? waitHint(details.retryAfter) : verdict.hint;
  return {
    code: verdict.code,
    message: redact(verdict.message, secrets),
    ...(hint && { hint }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** Whether the model was refused because it cannot take images, sound or files. */
export function isMediaRefusal(error: unknown): boolean {
  const { status, name, message } = gatherEvidence(error);
  if (name === 'AI_UnsupportedFunctionalityError') return true;
  const refused = status === 400 || status === 404 || status === 415 || status === 422;
  return refused && /image|audio|vision|multi-?modal|media|content type|file part/i.test(message);
}

/** The failure of a stream that ended before the model said that it was done. */
export const cutStream: Verdict = {
  code: 'model_failed',
  message: 'The connection was cut before the model had finished its answer.',
  hint: 'Ask again; if it happens often, check the network or the model server’s log.',
};

const cancelled: Verdict = { code: 'cancelled', message: 'The request was cancelled.' };

function judge(evidence: Evidence): Verdict {
  if (evidence.name === 'AbortError') return cancelled;
  return judgeByCode(evidence) ?? judgeByConnection(evidence) ?? judgeByStatus(evidence);
}

function judgeByCode({ status, message, codes }: Evidence): Verdict | undefined {
  const text = `${codes.join(' ')} ${message}`;
  if (
    status === 402 ||
    /insufficient[_ ](quota|balance|credit|funds)|billing|credit balance|out of credits|payment required|欠费|余额不足/i.test(
      text,
    )
  ) {
    return {
      code: 'model_no_credit',
      message: 'The account at the model provider has no credit left.',
      hint: 'Add credit at the provider, or choose another model.',
    };
  }
  if (
    /context[_ ]length|context window|maximum context|prompt is too long|too many (input )?tokens|input is too long|exceeds? (the )?(model'?s )?(maximum|context)|string_above_max/i.test(
      text,
    ) &&
    status !== 429
  ) {
    return {
      code: 'model_context_too_long',
      message: 'The conversation is too long for this model.',
      hint: 'Start a new topic, shorten the message, or choose a model with a larger context.',
    };
  }
  if (
    /content[_ ](filter|policy)|content_policy_violation|safety system|responsible ?ai|data_inspection_failed|prohibited_content/i.test(
      text,
    )
  ) {
    return {
      code: 'model_refused',
      message: 'The model provider refused this request because of its content rules.',
      hint: 'Rephrase the message, or choose another model.',
    };
  }
  if (
    /invalid[_ ]api[_ ]key|incorrect api key|authentication[_ ]?(error|fails?)|invalid x-api-key|no api key|missing api key|api[_ ]key[_ ](not valid|invalid)/i.test(
      text,
    )
  ) {
    return unauthorized;
  }
  if (
    /model[_ ]not[_ ]found|model .{1,200}(does not exist|not found)|no such model|unknown model/i.test(
      text,
    )
  ) {
    return {
      code: 'model_not_found',
      message: 'The model provider does not know this model.',
      hint: 'Choose another model, or check the name in the provider’s settings.',
    };
  }
  if (status === undefined && /rate[_ ]limit|too many requests/i.test(text)) return rateLimited;
  return undefined;
}

const unauthorized: Verdict = {
  code: 'model_unauthorized',
  message: 'The model provider did not accept the API key.',
  hint: 'Check the key in the provider’s settings.',
};
const rateLimited: Verdict = {
  code: 'model_rate_limited',
  message: 'The model provider is receiving too many requests from this account.',
};

function judgeByConnection({
  status,
  message,
  codes,
  name,
  origin,
}: Evidence): Verdict | undefined {
  if (status !== undefined && status >= 400) return undefined;
  const where = origin ?? 'the model provider';
  const reason = codes.find((code) => code in unreachable || /^(CERT_|ERR_TLS)|CERT/.test(code));
  if (reason !== undefined) {
    const why = unreachable[reason] ?? 'its certificate is not trusted';
    return {
      code: 'model_unreachable',
      message: `Could not reach ${where}: ${why}.`,
      hint: 'Check that the model server is running and that its base URL is right.',
    };
  }
  if (
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/m.test(
      codes.join('\n'),
    )
  ) {
    return cutStream;
  }
  if (/without a finish reason|^terminated$|premature close|other side closed/i.test(message)) {
    return cutStream;
  }
  const failedToConnect = /^Cannot connect to API: (.+)/.exec(message)?.[1];
  if (failedToConnect !== undefined) {
    return {
      code: 'model_unreachable',
      message: `Could not reach ${where}: ${truncate(failedToConnect, 200)}.`,
      hint: 'Check that the model server is running and that its base URL is right.',
    };
  }
  if (name === 'TimeoutError' || /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(codes.join(' '))) {
    return {
      code: 'model_failed',
      message: `${sentenceCase(where)} did not answer in time.`,
      hint: 'Ask again, or choose another model.',
    };
  }
  return undefined;
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EADDRNOTAVAIL: 'the address is not available',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  ERR_INVALID_URL: 'its base URL is not valid',
};

function judgeByStatus({ status, name }: Evidence): Verdict {
  if (status === 401 || status === 403) return unauthorized;
  if (status === 429) return rateLimited;
  if (status === 413) {
    return {
      code: 'model_context_too_long',
      message: 'The request is too large for the model provider.',
      hint: 'Start a new topic, or send less at once.',
    };
  }
  if (status === 404) {
    return {
      code: 'model_failed',
      message: 'The model provider answered “not found” (404).',
      hint: 'Check the base URL (it often ends in /v1) and the model’s name.',
    };
  }
  if (status !== undefined && status >= 500) {
    return {
      code: 'model_failed',
      message: `The model provider has trouble at the moment (HTTP ${status}).`,
      hint: 'Ask again in a moment, or choose another model.',
    };
  }
  if (status !== undefined && status >= 400) {
    return {
      code: 'model_failed',
      message: `The model provider refused the request (HTTP ${status}).`,
    };
  }
  if (/JSONParseError|TypeValidationError|InvalidResponseData|EmptyResponseBody/.test(name)) {
    return {
      code: 'model_failed',
      message: 'The model provider sent something that could not be understood.',
      hint: 'Check that its base URL is that of an OpenAI-compatible API.',
    };
  }
  return {
    code: 'model_failed',
    message: 'The model failed to answer.',
    hint: 'Ask again, or choose another model; the details hold what the provider said.',
  };
}

function waitHint(seconds: number | undefined): string {
  if (seconds === undefined) return 'Wait a moment and ask again, or choose another model.';
  return `Ask again in ${Math.ceil(seconds)} s, or choose another model.`;
}

function describe(evidence: Evidence, code: ErrorCode, secrets: string[]): ModelErrorDetails {
  const details: ModelErrorDetails = {};
  if (code === 'cancelled') return details;
  if (evidence.status !== undefined && evidence.status >= 400) details.status = evidence.status;
  const [reason] = evidence.codes;
  if (reason !== undefined) details.reason = truncate(redact(reason, secrets), 100);
  const retryAfter = readRetryAfter(evidence);
  if (retryAfter !== undefined) details.retryAfter = retryAfter;
  if (evidence.message) details.vendorMessage = truncate(redact(evidence.message, secrets), 500);
  return details;
}

/** Seconds to wait, from the headers or from the sentence some vendors write instead. */
function readRetryAfter({ headers, message, status }: Evidence): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms / 1000);
  const header = headers['retry-after'];
  if (header !== undefined) {
    const plain = /^\s*[\d.]+\s*$/.test(header);
    const date = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
    const seconds = plain ? Number(header) : (date - Date.now()) / 1000;
    if (Number.isFinite(seconds)) return Math.max(0, seconds);
  }
  const written = /(?:try again|retry) in ([\d.]{1,10})\s?(ms|s|m)\b/i.exec(message);
  if (!written || (status !== undefined && status !== 429)) return undefined;
  const scale = { ms: 0.001, s: 1, m: 60 }[written[2]?.toLowerCase() ?? 's'] ?? 1;
  return Number(written[1]) * scale;
}

/** Takes out the key in use and whatever looks like one. */
function redact(text: string, secrets: string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, '[secret]');
  }
  return clean
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, '$1 [secret]')
    .replaceAll(/\b(sk|pk|rk|gsk|xai)[-_][\w*.-]{6,}/g, '[secret]')
    .replaceAll(/\bAIza[\w-]{10,}/g, '[secret]')
    .replaceAll(/\/\/[^\s/@]+@/g, '//');
}

function sentenceCase(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}
