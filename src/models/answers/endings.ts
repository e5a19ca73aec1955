import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { FinishReason } from '#shared/vocabulary/chunk.ts';

/** The reason in an error's details when a model had nothing to say; asking again may help. */
export const emptyAnswer = 'empty_answer';

/** The model was cut at a limit before it said anything; thinking alone is no answer. */
export function cutSilent(): CeriseError {
  return new CeriseError(
    'model_failed',
    say('model-cut-silent')`The model reached its maximum output length before it answered.`,
    {
      hint: say(
        'model-cut-silent-hint',
      )`Raise the maximum output tokens, lower the reasoning effort, or choose another model.`,
    },
  );
}

/** What it means that an answer without a word and without a call ended like this. */
export function assertAnswered(reason: FinishReason): never {
  if (reason === 'content-filter') throw new Error('content_filter');
  if (reason === 'length') throw cutSilent();
  throw emptyAnswerError();
}

/** The model ended its answer without a word. `reason` is the vendor's own, if it gave one. */
export function emptyAnswerError(
  message: Words = say('model-silent')`The model returned an empty answer.`,
  details: { reason: string; vendorMessage?: string } = { reason: emptyAnswer },
): CeriseError {
  return new CeriseError('model_failed', message, {
    hint: say('ask-again-or-other')`Try again, or choose another model.`,
    details,
  });
}
