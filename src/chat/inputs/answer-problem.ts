import { say, type Sentence } from '#shared/errors/sentence.ts';
import { formProblem } from '#shared/api/form.ts';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';

/** Why an answer does not answer the question; undefined if it does. */
export function answerProblem(
  view: InputView,
  { action, content, model }: AnswerInput,
): Sentence | undefined {
  const actions = view.kind === 'sampling' ? ['approve', 'deny'] : ['accept', 'decline', 'cancel'];
  if (!actions.includes(action))
    return say('answer-action')`action: must be ${actions.join(' or ')}.`;
  if (model && action !== 'approve')
    return say('answer-model')`model: only allowed with the action approve.`;
  if (content && (view.kind !== 'form' || action !== 'accept'))
    return say('answer-content')`content: only allowed when a form is accepted.`;
  return view.kind === 'form' && action === 'accept'
    ? formProblem(view.schema, content ?? {})
    : undefined;
}
