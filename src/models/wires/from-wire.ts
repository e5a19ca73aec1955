import type { Dispatcher } from 'undici';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ModelAdapter, ModelRequest, ModelTimes } from '#shared/vocabulary/model.ts';
import { usualBounds } from '../answers/answer-bounds.ts';
import { createAnswerStream } from '../answers/answer-stream.ts';
import { isMediaRefusal, isRefusalOfOne } from '../failures/model-errors.ts';
import { hasMedia } from '../requests/result-content.ts';
import { learnFromRefusal, withoutMedia } from './from-wire-learn.ts';
import { capabilitiesOf } from './capabilities.ts';
import { exchange, isUnanswered } from './wire-http.ts';
import type { Wire, WireReader, WireTarget } from './wire.ts';

/** What an adapter over a wire may be told. */
export interface FromWireOptions {
  /** What requests go through; undici's global one unless told. */
  dispatcher?: Dispatcher;
  /** How to wait between tries; replaced in tests. */
  wait?: (delay: number, signal: AbortSignal) => Promise<void>;
  /** How much an answer may bring. */
  bounds?: typeof usualBounds;
  /** How long an answer is waited for. */
  times?: ModelTimes | undefined;
}

/** Where a model is. What it can do is known by its name, unless it is said. */
export type ModelTarget = Omit<WireTarget, 'capabilities'> & Partial<WireTarget>;

/**
 * A model behind one of our own wires. What it learns from refusals (no images, no temperature, …)
 * counts for all later requests of this adapter; that one image is not taken counts for one request.
 */
export function fromWire(
  wire: Wire,
  target: ModelTarget,
  options: FromWireOptions = {},
): ModelAdapter {
  const { dispatcher, wait, bounds = usualBounds, times } = options;
  const { modelEvent } = bounds;
  let known: WireTarget = { capabilities: capabilitiesOf(target.model), ...target };
  const inWords = new WeakSet<ModelRequest>();
  return createAnswerStream<WireReader>({
    secrets: secretsOf(known),
    ...(wait && { wait }),
    createReader: (emit) => wire.createReader(emit, bounds),
    async run(attempt) {
      assertSendable(target.apiKey);
      const usable = inWords.has(attempt.request) ? withoutMedia(known) : known;
      const sent = { request: wire.toRequest(attempt.request, usable), dispatcher };
      const { reader, signal } = attempt;
      const once = () =>
        exchange({
          ...sent,
          modelEvent,
          times,
          reader,
          signal,
          get room() {
            return attempt.room;
          },
        });
      await once().catch((error: unknown) => {
        if (signal.aborted || !isUnanswered(error)) throw error;
        return once();
      });
    },
    learn(error, request) {
      const sentMedia = hasMedia(request) && !inWords.has(request);
      if (sentMedia && isMediaRefusal(error) && isRefusalOfOne(error)) {
        inWords.add(request);
        return true;
      }
      const learned = learnFromRefusal(error, known, sentMedia);
      known = learned ?? known;
      return learned !== undefined;
    },
  });
}

/** A key that was pasted together with something else would fail as an obscure header. */
function assertSendable(apiKey = ''): void {
  if (/^[\u0021-\u007e]*$/.test(apiKey)) return;
  throw new CeriseError(
    'model_unauthorized',
    say('key-characters')`The API key contains invalid characters.`,
    {
      hint: say(
        'key-characters-hint',
      )`Paste the key again in the provider's settings, without spaces or line breaks.`,
    },
  );
}

/** The key, and what looks like one among the headers. */
function secretsOf({ apiKey, headers = {} }: WireTarget): string[] {
  const secret = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([, value]) => value);
  return apiKey ? [apiKey, ...secret] : secret;
}
