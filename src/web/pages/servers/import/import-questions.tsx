import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ImportQuestionView } from '#shared/api/import-api.ts';
import { Field } from '../../../ui/controls/field.tsx';

interface QuestionsProps {
  questions: ImportQuestionView[];
  answers: Record<string, string>;
  onChange: (answers: Record<string, string>) => void;
}

/** The values that an imported server leaves open. */
export function ImportQuestions(props: QuestionsProps): ReactElement | null {
  const { questions, answers, onChange } = props;
  const t = useTranslations('serverImport');
  if (questions.length === 0) return null;
  return (
    <fieldset className="space-y-3" data-testid="import-questions">
      <legend className="mb-2 text-sm font-medium">{t('questions')}</legend>
      {questions.map((question) => (
        <Question
          key={question.id}
          question={question}
          value={answers[question.id] ?? ''}
          onChange={(value) => onChange({ ...answers, [question.id]: value })}
        />
      ))}
    </fieldset>
  );
}

function Question(props: {
  question: ImportQuestionView;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useTranslations('serverImport');
  const { id, label, secret, inClear, options, optional } = props.question;
  const control = {
    value: props.value,
    className: 'input',
    onChange: (event: { target: { value: string } }) => props.onChange(event.target.value),
  };
  return (
    <Field
      label={optional ? t('optional', { label: label ?? id }) : (label ?? id)}
      hint={inClear ? t('inClear') : t('sealed')}
    >
      {(ids) =>
        options ? (
          <select {...ids} {...control}>
            <option value="" />
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        ) : (
          <input
            {...ids}
            {...control}
            type={secret ? 'password' : 'text'}
            autoComplete="off"
            spellCheck={false}
          />
        )
      }
    </Field>
  );
}
