import type { ReactElement } from 'react';
import { useMessages, useTranslations } from 'use-intl';
import type { ImportQuestionView } from '#shared/api/import-api.ts';
import { sayIn } from '#shared/errors/sentence.ts';
import { questionWords } from '#shared/messages/builtin-tool.ts';
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

interface QuestionProps {
  question: ImportQuestionView;
  value: string;
  onChange: (value: string) => void;
}

function Question({ question, value, onChange }: QuestionProps) {
  const t = useTranslations('serverImport');
  const { host } = useMessages();
  const { id, secret, inClear, options, optional } = question;
  const label = sayIn(host, questionWords(question.label ?? id));
  const control = {
    value,
    className: 'input',
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field
      label={optional ? t('optional', { label }) : label}
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
