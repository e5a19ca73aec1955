import { type SentenceRef, sentenceRef, textOf, toWords, type Words } from './sentence.ts';

/** Every failure a person or a client can meet. The code is stable; the message says what to do. */
export const errorStatus = {
  invalid_request: 400,
  invalid_json: 400,
  message_empty: 400,
  invalid_server: 400,
  invalid_bundle: 400,
  invalid_arguments: 400,
  unauthenticated: 401,
  forbidden: 403,
  /** Only an admin may do it. */
  admin_only: 403,
  wrong_password: 403,
  foreign_host: 403,
  foreign_origin: 403,
  denied: 403,
  not_found: 404,
  topic_not_found: 404,
  stream_not_found: 404,
  message_not_found: 404,
  answer_not_found: 404,
  /** Nothing was recorded of an answer. */
  record_not_found: 404,
  assistant_not_found: 404,
  model_not_found: 404,
  provider_not_found: 404,
  server_not_found: 404,
  tool_not_found: 404,
  tool_call_not_found: 404,
  input_not_found: 404,
  file_not_found: 404,
  /** Of the OpenAI-compatible API. */
  response_not_found: 404,
  user_not_found: 404,
  key_not_found: 404,
  sign_in_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  server_not_approved: 409,
  server_disabled: 409,
  launch_changed: 409,
  /** A tool is no longer what a person approved. */
  tool_changed: 409,
  arguments_changed: 409,
  already_decided: 409,
  /** What was to be approved is refused by now. */
  no_longer_allowed: 409,
  idempotency_mismatch: 409,
  /** A person has to sign in to an MCP server (not to Cerise, which is `unauthenticated`). */
  sign_in_required: 409,
  body_too_large: 413,
  message_too_large: 413,
  file_too_large: 413,
  result_too_large: 413,
  /** A model wrote more arguments than a call may have. */
  arguments_too_large: 413,
  /** More than one person may keep, or send at once. */
  quota_exceeded: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  cancelled: 499,
  internal: 500,
  connection_refused: 502,
  connection_lost: 502,
  command_not_found: 502,
  missing_variable: 409,
  /** An admin demands that servers are confined, and this machine cannot do it. */
  sandbox_missing: 502,
  protocol_error: 502,
  unreadable_response: 502,
  http_error: 502,
  tool_failed: 502,
  sign_in_failed: 502,
  outcome_unknown: 502,
  model_unauthorized: 502,
  model_no_credit: 502,
  model_rate_limited: 502,
  model_context_too_long: 502,
  model_refused: 502,
  model_length: 502,
  model_unreachable: 502,
  model_failed: 502,
  address_blocked: 403,
  repeated_call: 409,
  call_limit: 429,
  interrupted: 500,
  storage_unavailable: 503,
  /** The disk is full, or a quota is used up. */
  disk_full: 507,
  shutting_down: 503,
  timed_out: 504,
  data_in_use: 500,
  data_unreadable: 500,
  port_in_use: 500,
  wrong_key: 500,
  bad_setting: 500,
} as const;

/** The stable names of failures. */
export type ErrorCode = keyof typeof errorStatus;

/** What a person sees of an error; also its stored and transported form. */
export interface ErrorInfo {
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
  details?: unknown;
  /** By what the message and the hint are known in other languages. */
  messageSaid?: SentenceRef | undefined;
  hintSaid?: SentenceRef | undefined;
}

/** What else an error may tell; an `ErrorInfo` serves, to throw what was only told. */
interface ErrorOptions {
  hint?: Words | undefined;
  details?: unknown;
  cause?: unknown;
  messageSaid?: SentenceRef | undefined;
  hintSaid?: SentenceRef | undefined;
}

/** The one error type. Expected failures are thrown or returned as this; anything else is a bug. */
export class CeriseError extends Error {
  readonly code: ErrorCode;
  readonly hint?: string | undefined;
  readonly details?: unknown;
  readonly messageSaid?: SentenceRef | undefined;
  readonly hintSaid?: SentenceRef | undefined;

  constructor(code: ErrorCode, message: Words, options: ErrorOptions = {}) {
    super(textOf(message), options.cause === undefined ? undefined : { cause: options.cause });
    const { hint, details } = options;
    this.name = 'CeriseError';
    this.code = code;
    this.hint = hint && textOf(hint);
    this.details = details;
    this.messageSaid = sentenceRef(message) ?? options.messageSaid;
    this.hintSaid = sentenceRef(hint) ?? options.hintSaid;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Whether the database or its disk is in trouble that may pass: the same can be tried again later. */
export function isStorageTrouble(error: unknown): error is CeriseError {
  return (
    error instanceof CeriseError &&
    (error.code === 'storage_unavailable' || error.code === 'disk_full')
  );
}

/** Whether stored data cannot be read: trying again does not help, and others must not suffer from it. */
export function isUnreadable(error: unknown): error is CeriseError {
  return error instanceof CeriseError && error.code === 'data_unreadable';
}

/** An expected failure that is told, not thrown. */
export function errorInfo(
  code: ErrorCode,
  message: Words,
  options: Pick<ErrorOptions, 'hint' | 'details'> = {},
): ErrorInfo {
  const { hint, details } = options;
  const [messageSaid, hintSaid] = [sentenceRef(message), sentenceRef(hint)];
  return {
    code,
    message: textOf(message),
    ...(hint && { hint: textOf(hint) }),
    ...(details !== undefined && { details }),
    ...(messageSaid && { messageSaid }),
    ...(hintSaid && { hintSaid }),
  };
}

/** What an error says, as words that can stand in a sentence. */
export function messageOf({
  message,
  messageSaid,
}: Pick<ErrorInfo, 'message' | 'messageSaid'>): Words {
  return toWords(message, messageSaid);
}

/** What an error advises, as words. */
export function hintOf({
  hint,
  hintSaid,
}: Pick<ErrorInfo, 'hint' | 'hintSaid'>): Words | undefined {
  return hint === undefined ? undefined : toWords(hint, hintSaid);
}

/** What the vendor of a model said itself, which is nobody's to translate. */
export function vendorWords({ details }: Pick<ErrorInfo, 'details'>): string | undefined {
  const { vendorMessage } = (details ?? {}) as { vendorMessage?: unknown };
  return typeof vendorMessage === 'string' ? vendorMessage : undefined;
}

/** All that an error says to a program: what happened, what can be done, what the vendor said. */
export function fullMessage(error: ErrorInfo): string {
  return [error.message, error.hint, vendorWords(error)].filter(Boolean).join(' ');
}

/** What anything that was thrown says, as words. */
export function wordsOf(error: unknown): Words {
  if (error instanceof CeriseError) return messageOf(error);
  return error instanceof Error ? error.message : String(error);
}

/** The presentable form of anything that was thrown. Unknown errors keep their sentence out of `details`. */
export function toErrorInfo(error: unknown, fallback: ErrorCode = 'internal'): ErrorInfo {
  if (!(error instanceof CeriseError)) return errorInfo(fallback, wordsOf(error));
  const { code, details } = error;
  return errorInfo(code, messageOf(error), { hint: hintOf(error), details });
}
