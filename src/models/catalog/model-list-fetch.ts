import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { collectBytes } from '#shared/text/byte-collector.ts';
import { isCrowdedJson } from '#shared/vocabulary/json.ts';
import { classifyModelError } from '../failures/model-errors.ts';
import type { WireName } from '../vendors/vendor.ts';
import { vendorOf } from '../vendors/vendors.ts';
import { vendorEndpoint } from '../wires/vendor-endpoint.ts';

const maxBytes = 8 * 1024 * 1024;
/** The objects, lists and fields of a list: of thousands of models a hundred each. */
const maxParts = 300_000;

/** Where a list is read. Holds the key in the clear: never stored or logged like this. */
export interface ListSource {
  kind: string;
  baseUrl: string;
  apiKey?: string | undefined;
  signal?: AbortSignal;
}

interface FetchOptions {
  headers?: Record<string, string>;
  /** Asks by POST. */
  body?: object;
  /** Below this instead of the source's base URL. */
  root?: string;
}

/** A vendor's answer as JSON, within bounds. Throws CeriseError with what a person can do about it. */
export async function fetchJson(
  source: ListSource,
  path: string,
  { headers, body, root }: FetchOptions = {},
): Promise<unknown> {
  const { apiKey, signal } = source;
  const url = address(
    root ?? source.baseUrl,
    root ? '' : habits[vendorOf(source).wire].usualPath,
    path,
  );
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...keyHeader(source), ...headers },
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await readText(response);
    if (response.ok) return JSON.parse(text) as unknown;
    if (response.status < 400) throw moved(response.headers.get('location'));
    throw toCeriseError({ statusCode: response.status, url, responseBody: text }, apiKey);
  } catch (error) {
    throw toCeriseError(error, apiKey, url);
  }
}

/** The address of the machine and port, without the path of the API. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function keyHeader(source: ListSource): Record<string, string> {
  const { apiKey } = source;
  return apiKey ? habits[vendorOf(source).wire].header(apiKey) : {};
}

interface WireHabits {
  /** What carries the key. */
  header(apiKey: string): Record<string, string>;
  /** What the wire puts after a base URL that is nothing but a host. */
  usualPath: string;
}

const bearer: WireHabits = {
  header: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  usualPath: '',
};

/** As the wires themselves do it. */
const habits: Readonly<Record<WireName, WireHabits>> = {
  'openai-chat': bearer,
  'openai-responses': bearer,
  'anthropic-messages': { header: (apiKey) => ({ 'x-api-key': apiKey }), usualPath: '/v1' },
  'google-generate': { header: (apiKey) => ({ 'x-goog-api-key': apiKey }), usualPath: '/v1beta' },
};

/** Both the base URL and the path may have a query. */
function address(baseUrl: string, usual: string, path: string): string {
  const [plain = '', query] = path.split('?', 2);
  const url = vendorEndpoint(baseUrl, usual, plain);
  return query === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Keys are not carried to wherever an answer points. */
function moved(location: string | null): CeriseError {
  const to = location === null ? null : URL.parse(location);
  const message = to
    ? say('provider-moved-to')`The model provider has moved to ${to.origin}.`
    : say('provider-moved')`The model provider has moved to another URL.`;
  return new CeriseError('model_failed', message, {
    hint: say('change-base-url')`Change the base URL in the provider's settings.`,
  });
}

function toCeriseError(error: unknown, apiKey?: string, url?: string): CeriseError {
  if (error instanceof CeriseError) return error;
  const secrets = apiKey ? [apiKey] : [];
  if (error instanceof SyntaxError) return unreadable(error);
  if (error instanceof Error && error.name === 'TimeoutError') return tooSlow(error);
  const found = classifyModelError(url === undefined ? error : { url, cause: error }, secrets);
  if (url !== undefined && isRefusedByFetch(error)) return notAllowed(url, error);
  return new CeriseError(found.code, found.message, { ...found, cause: error });
}

/** `fetch` goes to no port of a list of old services, and says so only in the cause. */
function isRefusedByFetch(error: unknown): error is Error {
  const { cause } = error instanceof TypeError ? error : {};
  return cause instanceof Error && cause.message === 'bad port';
}

function notAllowed(url: string, cause: Error): CeriseError {
  const { origin, port } = new URL(url);
  return new CeriseError(
    'model_unreachable',
    say('port-reserved')`Couldn't reach ${origin}: port ${port} is reserved.`,
    {
      hint: say('port-reserved-hint')`Run the model server on another port, such as 8000.`,
      cause,
    },
  );
}

function unreadable(cause: Error): CeriseError {
  return new CeriseError(
    'model_failed',
    say('list-unreadable')`The list of models couldn't be read.`,
    {
      hint: say(
        'list-unreadable-hint',
      )`Check that the base URL points to the provider's API (it often ends in /v1).`,
      cause,
    },
  );
}

function tooSlow(cause: Error): CeriseError {
  return new CeriseError(
    'model_unreachable',
    say('provider-slow')`The model provider didn't respond in time.`,
    {
      hint: say(
        'provider-slow-hint',
      )`Check that it's running and that the base URL is correct, or try again.`,
      cause,
    },
  );
}

/** Reads no more than a list of models can need; a longer body is not one. */
async function readText(response: Response): Promise<string> {
  const tooLong = () =>
    new CeriseError('model_failed', say('list-too-long')`The list of models is too long.`);
  const text = new TextDecoder().decode(await collectBytes(response.body, maxBytes, tooLong));
  if (isCrowdedJson(text, maxParts)) throw tooLong();
  return text;
}
