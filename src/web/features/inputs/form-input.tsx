import { TriangleAlert } from 'lucide-react';
import { type ReactElement, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/api/input-api.ts';
import { ExactArguments, useUnseenArguments } from '../exact/exact-arguments.tsx';
import { checkForm, type FormErrors } from '../form/check-form.ts';
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
export function FormInput({
  input,
  busy,
  answer,
}: AnswerProps & { input: FormView }): ReactElement {
  const t = useTranslations('inputs');
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const draft = useInputs((state) => state.drafts[input.id]);
  const value = draft ?? defaultsOf(input.schema);
  const problems = checkForm(input.schema, value);
  const errors: FormErrors = tried ? problems : {};
  const unlike = Object.keys(problems).length > 0 ? {} : misleadingValues(input.schema, value);
  const unseen = useUnseenArguments(input.id, unlike);
  const noteId = useId();
  const still = useStill(input.id);
  const send = () => {
    setTried(true);
    if (Object.keys(problems).length > 0) focusProblem(form.current, problems);
    else void answer({ action: 'accept', content: value });
  };
  return (
    <Form ref={form} noValidate className="space-y-3" onSend={() => unseen === undefined && send()}>
      <ServerWords text={input.message} />
      {asksForSecret(input) && (
        <p
          role="note"
          data-testid="secret-warning"
          className="flex gap-2 rounded-lg bg-danger-soft px-3 py-2 text-sm"
        >
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          {t('secret')}
        </p>
      )}
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
        <Button
          type="submit"
          variant="primary"
          disabled={busy || unseen !== undefined}
          aria-describedby={unseen && noteId}
          aria-disabled={!still}
          data-testid="accept-input"
          onClick={(event) => {
            if (!still && event.detail > 0) event.preventDefault();
          }}
        >
          {t('send')}
        </Button>
        <Refusals busy={busy} answer={answer} />
      </div>
    </Form>
  );
}
