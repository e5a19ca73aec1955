import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';

/** An object as a vendor sent it: nothing is known of its fields until they are looked at. */
export type Fields = Record<string, unknown>;

/** The object in the data of one event. Throws when it holds none. */
export function parseEventData(data: string): Fields {
  if (data.length > plainChars && isCrowded(data)) throw notUnderstood(undefined);
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw notUnderstood(cause);
  }
  if (!isJsonObject(value)) throw notUnderstood(undefined);
  return value;
}

/** What is large is one long text, as a rule: an image, or the arguments of a call. */
const plainChars = 1024 * 1024;
const maxValues = 500_000;

/** Whether JSON holds so many values that they would take far more memory than their text. */
export function isCrowded(json: string): boolean {
  let values = 0;
  for (const mark of [',', '[', '{'])
    for (let at = json.indexOf(mark); at >= 0; at = json.indexOf(mark, at + 1)) {
      values += 1;
      if (values > maxValues) return true;
    }
  return false;
}

/** The fields of a value, none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : noFields;
}

/** The text of a value, empty when it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** More tokens than this were never counted. */
const maxTokens = 1e12;

/** A number of tokens, as some write it in a text; undefined when it is none. */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof count !== 'number' || !(count >= 0) || count > maxTokens) return undefined;
  return Math.round(count);
}

/** What a vendor reported as an error in the middle of a stream, in the form errors are judged by. */
export function reportedError(report: {
  message: string;
  type: string;
  status?: number | undefined;
  /** What else the vendor said of it. */
  details?: unknown;
}): Error {
  const { message, type, status, details } = report;
  return Object.assign(new Error(message || type || 'The provider reported an error.'), {
    type,
    ...(status !== undefined && { statusCode: status }),
    details,
  });
}

/** The model or its vendor would not answer. `reason` is the vendor's own word. */
export function refusal(reason: string, explanation = ''): CeriseError {
  return new CeriseError(
    'model_refused',
    say('model-refuses')`The model declined to answer this request.`,
    {
      hint: say('rephrase')`Rephrase your message, or choose another model.`,
      details: {
        reason: truncate(reason, 100),
        ...(explanation !== '' && { vendorMessage: truncate(explanation, 500) }),
      },
    },
  );
}

const noFields: Fields = Object.freeze({});

function notUnderstood(cause: unknown): CeriseError {
  return new CeriseError(
    'model_failed',
    say('provider-unreadable')`The response from the model provider couldn't be read.`,
    {
      hint: say('check-kind-url')`Check that the base URL matches this kind of provider.`,
      cause,
    },
  );
}
