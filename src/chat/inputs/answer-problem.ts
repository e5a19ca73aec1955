import { formProblem } from '#shared/api/form.ts';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';

/** Why an answer does not answer the question; undefined if it does. */
export function answerProblem(
  view: InputView,
  { action, content, model }: AnswerInput,
): string | undefined {
  const actions = view.kind === 'sampling' ? ['approve', 'deny'] : ['accept', 'decline', 'cancel'];
  if (!actions.includes(action)) return `action: must be ${actions.join(' or ')}.`;
  if (model && action !== 'approve') return 'model: only allowed with the action approve.';
  if (content && (view.kind !== 'form' || action !== 'accept'))
    return 'content: only allowed when a form is accepted.';
  return view.kind === 'form' && action === 'accept'
    ? formProblem(view.schema, content ?? {})
    : undefined;
}
