import {
  CeriseError,
  type ErrorCode,
  errorInfo,
  type ErrorInfo,
  hintOf,
  messageOf,
  toErrorInfo,
} from '#shared/errors/errors.ts';
import { changeWords, say, type Sentence } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { classifyProblem, type VendorProblem } from './error-words.ts';
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

type Verdict = ErrorInfo;

/**
 * What a failed model request means to a person. Pure. `secrets` are texts that must not appear in
 * the answer, such as the key in use.
 */
export function classifyModelError(error: unknown, secrets: string[] = []): ErrorInfo {
  if (error instanceof CeriseError) return toErrorInfo(error);
  const evidence = gatherEvidence(error);
  const verdict = judge(evidence);
  const details = describe(evidence, verdict.code, secrets);
  const isLimited = verdict.code === 'model_rate_limited';
  return errorInfo(
    verdict.code,
    changeWords(messageOf(verdict), (text) => redact(text, secrets)),
    {
      hint: isLimited ? waitHint(details.retryAfter) : hintOf(verdict),
      ...(Object.keys(details).length > 0 && { details }),
    },
  );
}

/** Whether the model was refused because it cannot take images, sound or files. */
export function isMediaRefusal(error: unknown): boolean {
  const { status, name, message } = gatherEvidence(error);
  if (name === 'AI_UnsupportedFunctionalityError') return true;
  const refused = status === 400 || status === 404 || status === 415 || status === 422;
  return refused && /image|audio|vision|multi-?modal|media|content type|file part/i.test(message);
}

/** Whether it was refused for what is wrong with one of them only: others may be taken. */
export function isRefusalOfOne(error: unknown): boolean {
  const { message } = gatherEvidence(error);
  if (/not support|only supported|unsupported content/i.test(message)) return false;
  return /exceed|too (large|big|many)|dimension|pixel|corrupt|base64|decode|could not process|unsupported image|valid image|media.?type|image (format|type|size)/i.test(
    message,
  );
}

/** The failure of a stream that ended before the model said that it was done. */
export const cutStream: Verdict = errorInfo(
  'model_failed',
  say('stream-cut')`The connection was lost before the model finished its answer.`,
  {
    hint: say(
      'stream-cut-hint',
    )`Try again. If this happens often, check your network or the model server's log.`,
  },
);

const cancelled: Verdict = errorInfo(
  'cancelled',
  say('request-cancelled')`The request was cancelled.`,
);

function judge(evidence: Evidence): Verdict {
  if (evidence.name === 'AbortError') return cancelled;
  return judgeByWords(evidence) ?? judgeByConnection(evidence) ?? judgeByStatus(evidence);
}

function judgeByWords(evidence: Evidence): Verdict | undefined {
  const problem = classifyProblem(evidence);
  if (problem !== undefined) return saidVerdicts[problem];
  const { status, message, codes } = evidence;
  const text = `${codes.join(' ')} ${message}`;
  if (status === undefined && /rate[_ ]limit|too many requests/i.test(text)) return rateLimited;
  return undefined;
}

const unauthorized: Verdict = errorInfo(
  'model_unauthorized',
  say('key-refused')`The model provider rejected the API key.`,
  { hint: say('key-refused-hint')`Make sure the key is complete and active, or use another one.` },
);
const rateLimited: Verdict = errorInfo(
  'model_rate_limited',
  say('rate-limited')`The model provider is receiving too many requests from this account.`,
);

const saidVerdicts: Record<VendorProblem, Verdict> = {
  'no-credit': errorInfo(
    'model_no_credit',
    say('no-credit')`Your account with the model provider has no credit left.`,
    { hint: say('no-credit-hint')`Add credit with the provider, or choose another model.` },
  ),
  'too-long': errorInfo(
    'model_context_too_long',
    say('context-too-long')`This chat is too long for the model.`,
    {
      hint: say(
        'context-too-long-hint',
      )`Start a new chat, shorten your message, or choose a model with a larger context window.`,
    },
  ),
  content: errorInfo(
    'model_refused',
    say('content-rules')`The model provider rejected this request because of its content policy.`,
    { hint: say('rephrase')`Rephrase your message, or choose another model.` },
  ),
  key: unauthorized,
  region: errorInfo(
    'model_failed',
    say('region-refused')`The model provider isn't available in the region this request came from.`,
    { hint: say('choose-other-model')`Choose a model from another provider.` },
  ),
  'no-model': errorInfo(
    'model_not_found',
    say('model-unknown-there')`The model provider doesn't have this model.`,
    {
      hint: say(
        'model-unknown-there-hint',
      )`Choose another model, or check the name in the provider's settings.`,
    },
  ),
};

function judgeByConnection({
  status,
  message,
  codes,
  name,
  origin,
}: Evidence): Verdict | undefined {
  if (status !== undefined && status >= 400) return undefined;
  const where = origin ?? say('the-provider')`the model provider`;
  const reason = codes.find((code) => code in unreachable || /^(CERT_|ERR_TLS)|CERT/.test(code));
  if (reason !== undefined) {
    const why = unreachable[reason] ?? say('why-cert-untrusted')`its certificate isn't trusted`;
    return errorInfo(
      'model_unreachable',
      say('could-not-reach')`Couldn't reach ${where}: ${why}.`,
      {
        hint: say(
          'check-model-server',
        )`Check that the model server is running and that the base URL is correct.`,
      },
    );
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
    return errorInfo(
      'model_unreachable',
      say('could-not-reach')`Couldn't reach ${where}: ${truncate(failedToConnect, 200)}.`,
      {
        hint: say(
          'check-model-server',
        )`Check that the model server is running and that the base URL is correct.`,
      },
    );
  }
  if (name === 'TimeoutError' || /UND_ERR_(HEADERS|BODY)_TIMEOUT/.test(codes.join(' '))) {
    return errorInfo(
      'model_failed',
      say('no-answer-from')`${changeWords(where, sentenceCase)} didn't respond in time.`,
      { hint: say('ask-again-or-other')`Try again, or choose another model.` },
    );
  }
  return undefined;
}

const unreachable: Record<string, Sentence> = {
  ECONNREFUSED: say('why-refused')`the connection was refused`,
  ENOTFOUND: say('why-unknown-host')`its host name is unknown`,
  EAI_AGAIN: say('why-lookup')`its host name couldn't be resolved`,
  ETIMEDOUT: say('why-timed-out')`the connection timed out`,
  EHOSTUNREACH: say('why-host-unreachable')`the host is unreachable`,
  ENETUNREACH: say('why-network-unreachable')`the network is unreachable`,
  EADDRNOTAVAIL: say('why-address')`the address isn't available`,
  UND_ERR_CONNECT_TIMEOUT: say('why-timed-out')`the connection timed out`,
  DEPTH_ZERO_SELF_SIGNED_CERT: say('why-self-signed')`its certificate is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: say('why-self-signed')`its certificate is self-signed`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: say('why-cert-untrusted')`its certificate isn't trusted`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: say('why-cert-untrusted')`its certificate isn't trusted`,
  ERR_INVALID_URL: say('why-url')`its base URL isn't valid`,
};

function judgeByStatus({ status, name, isPage }: Evidence): Verdict {
  // A web page comes from something on the way, which has not looked at the key.
  if (status === 401 || (status === 403 && !isPage)) return unauthorized;
  if (status === 429) return rateLimited;
  if (status === 413) {
    return errorInfo(
      'model_context_too_long',
      say('request-too-large')`The request is too large for the model provider.`,
      { hint: say('send-less')`Start a new chat, or send a shorter message.` },
    );
  }
  if (status === 404) {
    return errorInfo(
      'model_failed',
      say('provider-404')`The model provider responded with “not found” (404).`,
      {
        hint: say(
          'provider-404-hint',
        )`Check the base URL (it often ends in /v1) and the model name.`,
      },
    );
  }
  if (status !== undefined && status >= 500) {
    return errorInfo(
      'model_failed',
      say('provider-trouble')`The model provider is having problems (HTTP ${status}).`,
      { hint: say('provider-trouble-hint')`Try again in a moment, or choose another model.` },
    );
  }
  if (status !== undefined && status >= 400) {
    return errorInfo(
      'model_failed',
      say('provider-refused')`The model provider rejected the request (HTTP ${status}).`,
    );
  }
  if (/JSONParseError|TypeValidationError|InvalidResponseData|EmptyResponseBody/.test(name)) {
    return errorInfo(
      'model_failed',
      say('provider-unreadable')`The response from the model provider couldn't be read.`,
      {
        hint: say('check-openai-url')`Check that the base URL points to an OpenAI-compatible API.`,
      },
    );
  }
  return errorInfo('model_failed', say('model-failed')`The model couldn't answer.`, {
    hint: say(
      'model-failed-hint',
    )`Try again, or choose another model. The details contain the provider's message.`,
  });
}

/** A longer wait than a week is not believed. */
const maxWaitSeconds = 7 * 86_400;

function waitHint(seconds: number | undefined): Sentence {
  if (seconds === undefined || seconds === 0 || seconds > maxWaitSeconds)
    return say('wait-and-ask')`Wait a moment and try again, or choose another model.`;
  return say('ask-again-in')`Try again in ${Math.ceil(seconds)} s, or choose another model.`;
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
  const written = /(?:try again|retry) in ((?:[\d.]{1,10}\s?(?:ms|h|m|s)(?![a-z]))+)/i.exec(
    message,
  );
  if (!written?.[1] || (status !== undefined && status !== 429)) return undefined;
  const seconds = readDuration(written[1]);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Seconds, of a time such as `1h2m3.5s`. */
function readDuration(text: string): number {
  let seconds = 0;
  for (const [, amount, unit = 's'] of text.matchAll(/([\d.]+)\s?(ms|h|m|s)/gi)) {
    seconds += Number(amount) * (secondsIn[unit.toLowerCase()] ?? 1);
  }
  return seconds;
}

const secondsIn: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };

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
