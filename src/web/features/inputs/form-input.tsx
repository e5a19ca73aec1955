import { TriangleAlert } from 'lucide-react';
import { type ReactElement, type RefObject, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/api/input-api.ts';
import { ExactArguments, useUnseenArguments } from '../exact/exact-arguments.tsx';
import { checkForm } from '../form/check-form.ts';
import { defaultsOf } from '../form/form-defaults.ts';
import { focusProblem, SchemaForm } from '../form/schema-form.tsx';
import { keepDraft, useInputs } from '../../state/inbox/inputs.ts';
import { asksForSecret } from '../../state/inbox/secret-question.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useStill } from '../../state/inbox/still.ts';
import { UnseenNote } from '../../ui/text/unseen.tsx';
import { misleadingValues } from './form-sight.ts';
import { type AnswerProps, Refusals, ServerWords } from './question-parts.tsx';
import { Form } from '../../ui/controls/form.tsx';

type FormView = Extract<InputView, { kind: 'form' }>;

/** A form of a server, filled in by the person, declined, or put aside. */
export function FormInput(props: AnswerProps & { input: FormView }): ReactElement {
  const { input, busy, answer } = props;
  const t = useTranslations('inputs');
  const form = useRef<HTMLFormElement>(null);
  const { value, errors, unlike, send } = useFilled(props, form);
  const unseen = useUnseenArguments(input.id, unlike);
  const noteId = useId();
  return (
    <Form ref={form} noValidate className="space-y-3" onSend={() => unseen === undefined && send()}>
      <ServerWords text={input.message} />
      {asksForSecret(input) && <SecretWarning />}
      <div className="rounded-lg border border-line bg-raised p-3.5">
        <SchemaForm
          schema={input.schema}
          value={value}
          errors={errors}
          disabled={busy}
          onChange={(next) => keepDraft(input, next)}
        />
      </div>
      {Object.keys(unlike).length > 0 && (
        <ExactArguments toolCallId={input.id} value={unlike} title={t('sentAs')} />
      )}
      {unseen && <UnseenNote id={noteId} rest={unseen} />}
      <div className="flex flex-wrap gap-2">
        <SendButton id={input.id} disabled={busy || !!unseen} noteId={unseen && noteId} />
        <Refusals busy={busy} answer={answer} />
      </div>
    </Form>
  );
}

/** What is filled in, what is wrong with it once it was to be sent, and what the fields do not show as it is. */
function useFilled(
  { input, answer }: AnswerProps & { input: FormView },
  form: RefObject<HTMLFormElement | null>,
) {
  const [tried, setTried] = useState(false);
  const draft = useInputs((state) => state.drafts[input.id]);
  const value = draft ?? defaultsOf(input.schema);
  const problems = checkForm(input.schema, value);
  const hasProblems = Object.keys(problems).length > 0;
  const send = () => {
    setTried(true);
    if (hasProblems) focusProblem(form.current, problems);
    else void answer({ action: 'accept', content: value });
  };
  const unlike = hasProblems ? {} : misleadingValues(input.schema, value);
  return { value, errors: tried ? problems : {}, unlike, send };
}

function SecretWarning() {
  const t = useTranslations('inputs');
  return (
    <p
      role="note"
      data-testid="secret-warning"
      className="flex gap-2 rounded-lg bg-danger-soft px-3 py-2 text-sm"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      {t('secret')}
    </p>
  );
}

/** A click that was meant for what stood here a moment ago sends nothing. */
function SendButton(props: { id: string; disabled: boolean; noteId: string | undefined }) {
  const t = useTranslations('inputs');
  const still = useStill(props.id);
  return (
    <Button
      type="submit"
      variant="primary"
      disabled={props.disabled}
      aria-describedby={props.noteId}
      aria-disabled={!still}
      data-testid="accept-input"
      onClick={(event) => {
        if (!still && event.detail > 0) event.preventDefault();
      }}
    >
      {t('send')}
    </Button>
  );
}
