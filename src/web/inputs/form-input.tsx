import { TriangleAlert } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/input-api.ts';
import { checkForm, type FormErrors } from '../form/check-form.ts';
import { defaultsOf } from '../form/form-defaults.ts';
import { focusProblem, SchemaForm } from '../form/schema-form.tsx';
import { Button } from '../ui/button.tsx';
import { type AnswerProps, Refusals, ServerWords } from './question-parts.tsx';
import { keepDraft, useInputs } from './inputs-store.ts';
import { asksForSecret } from './secret-question.ts';

type Form = Extract<InputView, { kind: 'form' }>;

/** A form of a server, filled in by the person, declined, or put aside. */
export function FormInput({ input, busy, answer }: AnswerProps & { input: Form }): ReactElement {
  const t = useTranslations('inputs');
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const draft = useInputs((state) => state.drafts[input.id]);
  const value = draft ?? defaultsOf(input.schema);
  const errors: FormErrors = tried ? checkForm(input.schema, value) : {};
  const send = () => {
    const found = checkForm(input.schema, value);
    setTried(true);
    if (Object.keys(found).length > 0) focusProblem(form.current, found);
    else void answer({ action: 'accept', content: value });
  };
  return (
    <form
      ref={form}
      noValidate
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={busy} data-testid="accept-input">
          {t('send')}
        </Button>
        <Refusals busy={busy} answer={answer} />
      </div>
    </form>
  );
}
