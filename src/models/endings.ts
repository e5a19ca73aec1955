import type { FinishReason } from '#shared/chunk.ts';
import { CeriseError } from '#shared/errors.ts';

/** The reason in an error's details when a model had nothing to say; asking again may help. */
export const emptyAnswer = 'empty_answer';

/** The model was cut at a limit before it said anything; thinking alone is no answer. */
export function cutSilent(): CeriseError {
  return new CeriseError(
    'model_failed',
    'The model reached the limit of its answer before it said anything.',
    { hint: 'Allow longer answers, let the model think less, or choose another model.' },
  );
}

/** Throws for an answer without a word that was cut at a limit, or was not allowed. */
export function assertAllowed(reason: FinishReason): void {
  if (reason === 'content-filter') throw new Error('content_filter');
  if (reason === 'length') throw cutSilent();
}

/** The model ended its answer without a word. `reason` is the vendor's own, if it gave one. */
export function saidNothing(
  message = 'The model ended its answer without a word.',
  details: { reason: string; vendorMessage?: string } = { reason: emptyAnswer },
): CeriseError {
  return new CeriseError('model_failed', message, {
    hint: 'Ask again, or choose another model.',
    details,
  });
}
