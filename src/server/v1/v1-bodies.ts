import { createHash } from 'node:crypto';
import { readCaller } from '#chat/telemetry/trace-context.ts';
import type { Arrival } from '#chat/runs/run-request.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { SharedPlaces } from '#shared/async/shared-places.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { incomingBytes } from '../http/incoming-bytes.ts';
import { type LargeJson, readLargeJson } from './large-json.ts';

/** Larger bodies take one of the few places for large ones. */
const largeBytes = 1024 * 1024;

/** Answers a request that is stored. */
type Answer = () => Promise<Response>;

/** Reads the bodies of requests to `/v1`, few large ones at a time; a slow sender keeps out no other user. */
export class V1Bodies {
  readonly #limits: Limits;
  readonly #places: SharedPlaces;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#places = new SharedPlaces(limits.v1BodiesAtOnce);
  }

  /**
   * Releases the body as soon as `work` has stored what it needs: the answer may take long. Throws
   * `too_many_requests` if no place becomes free.
   */
  async use(
    request: Request,
    { owner }: Pick<Visitor, 'owner'>,
    work: (json: LargeJson, arrival: Arrival) => Promise<Answer>,
  ): Promise<Response> {
    let leave = (): void => undefined;
    const enter = async (): Promise<void> => void (leave = await this.#enter(owner, request));
    let answer: Answer;
    try {
      const body = onceLarge(incomingBytes(request), enter);
      const json = await readLargeJson(body, this.#limits);
      answer = await work(json, arrivalOf(request, json));
    } finally {
      leave();
    }
    return answer();
  }

  /** Waits for a place, for less time than a body may stop for; resolves to what gives it back. */
  async #enter(owner: string, request: Request): Promise<() => void> {
    const timeout = AbortSignal.timeout(this.#limits.bodyIdleTime / 2);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      return await this.#places.take(owner, signal);
    } catch (cause) {
      throw tooMany(cause);
    }
  }
}

/** A body that waits for `enter` where it turns out to be large. */
async function* onceLarge(
  body: AsyncIterable<Uint8Array>,
  enter: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    const before = size;
    size += piece.length;
    if (before <= largeBytes && size > largeBytes) await enter();
    yield piece;
  }
}

function tooMany(cause: unknown): CeriseError {
  return new CeriseError(
    'too_many_requests',
    say('large-at-once')`Too many large requests are being received.`,
    { hint: say('again-in-a-moment')`Try again in a moment.`, cause },
  );
}

/** Official clients say whether a request is a retry. */
function arrivalOf(request: Request, { hash }: LargeJson): Arrival {
  const { url, headers } = request;
  const key = headers.get('idempotency-key');
  const path = new URL(url).pathname;
  return {
    bodyHash: createHash('sha256').update(`${path} ${hash}`).digest('base64url'),
    isRetry: Number(headers.get('x-stainless-retry-count') ?? 0) > 0,
    ...(key !== null && key !== '' && { requestKey: key.slice(0, 500) }),
    caller: readCaller(request),
    signal: request.signal,
  };
}
