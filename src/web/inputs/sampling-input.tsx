import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/input-api.ts';
import { usePickableModels } from '../state/catalog.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/bytes.ts';
import { Field } from '../ui/field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { AnswerProps } from './question-parts.tsx';

type Sampling = Extract<InputView, { kind: 'sampling' }>;

/** What a server would have a model answer: all of it, with the model, which the person may change. */
export function SamplingInput(props: AnswerProps & { input: Sampling }): ReactElement {
  const t = useTranslations('inputs');
  const { input, busy, answer } = props;
  const [model, setModel] = useState(input.model);
  const models = usePickableModels(input.model);
  const known = models.some(({ id }) => id === input.model);
  const { params } = input;
  return (
    <>
      <section aria-label={t('wouldSend')} className="space-y-2">
        <p className="text-xs font-medium text-muted">{t('wouldSend')}</p>
        <div
          tabIndex={0}
          data-testid="sampling-messages"
          className="max-h-80 space-y-3 overflow-y-auto rounded-lg border border-line bg-raised px-3.5 py-2.5 text-sm"
        >
          {params.systemPrompt !== undefined && (
            <Said role={t('roles.system')} parts={[{ type: 'text', text: params.systemPrompt }]} />
          )}
          {params.messages.map(({ role, content }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the messages of a request never move
            <Said key={index} role={t(`roles.${role}`)} parts={content} />
          ))}
        </div>
        <p className="text-xs text-muted">{t('tokens', { count: params.maxTokens })}</p>
      </section>
      <Field label={t('model')}>
        {(ids) => (
          <select
            {...ids}
            disabled={busy}
            data-testid="sampling-model"
            className="input sm:max-w-96"
            value={model}
            onChange={(event) => setModel(event.target.value)}
          >
            {!known && <option value={input.model}>{input.model}</option>}
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabled={busy}
          data-testid="approve-input"
          onClick={() =>
            void answer({ action: 'approve', ...(model !== input.model && { model }) })
          }
        >
          {t('allow')}
        </Button>
        <Button
          variant="danger"
          disabled={busy}
          data-testid="deny-input"
          className="sm:ml-auto"
          onClick={() => void answer({ action: 'deny' })}
        >
          {t('deny')}
        </Button>
      </div>
    </>
  );
}

function Said({
  role,
  parts,
}: {
  role: string;
  parts: Sampling['params']['messages'][number]['content'];
}) {
  const t = useTranslations('inputs');
  return (
    <div>
      <p className="text-xs font-medium text-muted">{role}</p>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a message never move
        <p key={index} className="break-words whitespace-pre-wrap">
          {part.type === 'text' ? (
            <VisibleText text={part.text} />
          ) : (
            t(`media.${part.type}`, { type: part.mimeType, size: formatBytes(part.size) })
          )}
        </p>
      ))}
    </div>
  );
}
