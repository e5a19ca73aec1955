import { type ReactElement, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/api/input-api.ts';
import { usePickableModels } from '../../state/catalog/catalog.ts';
import { openWhole, useUnseenTexts } from '../../state/inbox/opened.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DecideButton } from '../exact/decide-button.tsx';
import { SelectField } from '../../ui/controls/labelled.tsx';
import { formatBytes } from '#shared/text/bytes.ts';
import type { Unseen } from '../../ui/text/first-sight.ts';
import { ShowRest, UnseenNote } from '../../ui/text/unseen.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { WholeText } from '../../ui/text/whole-text.tsx';
import type { AnswerProps } from './question-parts.tsx';
import { type SamplingMessage, samplingParts, samplingTexts } from './sampling-texts.ts';

type Sampling = Extract<InputView, { kind: 'sampling' }>;

/** What a server would have a model answer: all of it, with the model, which the person may change. */
export function SamplingInput(props: AnswerProps & { input: Sampling }): ReactElement {
  const t = useTranslations('inputs');
  const { input, busy, answer } = props;
  const [model, setModel] = useState(input.model);
  const unseen = useUnseenTexts(input.id, samplingTexts(input.params));
  const noteId = useId();
  const approve = () => void answer({ action: 'approve', ...(model !== input.model && { model }) });
  return (
    <>
      <Request input={input} unseen={unseen} />
      <ModelChoice proposed={input.model} value={model} disabled={busy} onChoose={setModel} />
      {unseen && <UnseenNote id={noteId} rest={unseen} />}
      <div className="flex flex-wrap gap-2">
        <DecideButton
          shown={input.id}
          variant="primary"
          disabled={busy || unseen !== undefined}
          aria-describedby={unseen && noteId}
          data-testid="approve-input"
          onDecide={approve}
        >
          {t('allow')}
        </DecideButton>
        <DenyButton disabled={busy} onClick={() => void answer({ action: 'deny' })} />
      </div>
    </>
  );
}

function DenyButton(props: { disabled: boolean; onClick: () => void }) {
  const t = useTranslations('inputs');
  return (
    <Button variant="danger" data-testid="deny-input" className="sm:ml-auto" {...props}>
      {t('deny')}
    </Button>
  );
}

interface ModelChoiceProps {
  /** Is among the choices even if it is not offered. */
  proposed: string;
  value: string;
  disabled: boolean;
  onChoose: (model: string) => void;
}

function ModelChoice({ proposed, ...control }: ModelChoiceProps) {
  const t = useTranslations('inputs');
  const models = usePickableModels(proposed).map(({ id, name }) => [id, name] as const);
  const isListed = models.some(([id]) => id === proposed);
  return (
    <SelectField
      label={t('model')}
      data-testid="sampling-model"
      className="input sm:max-w-96"
      options={isListed ? models : [[proposed, proposed], ...models]}
      {...control}
    />
  );
}

/** Everything that would be sent; what is long begins clipped. */
function Request({ input, unseen }: { input: Sampling; unseen: Unseen | undefined }) {
  const t = useTranslations('inputs');
  const box = useRef<HTMLDivElement>(null);
  const { maxTokens, temperature } = input.params;
  const messages = samplingParts(input.params, unseen === undefined);
  const open = () => {
    openWhole([input.id]);
    box.current?.focus({ preventScroll: true });
  };
  return (
    <section aria-label={t('wouldSend')} className="space-y-2">
      <p className="text-xs font-medium text-muted">{t('wouldSend')}</p>
      <div
        ref={box}
        tabIndex={-1}
        data-testid="sampling-messages"
        className="space-y-3 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-sm"
      >
        {messages.map((each, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the messages of a request never move
          <MessageView key={index} {...each} />
        ))}
        {unseen && <ShowRest rest={unseen} onOpen={open} />}
      </div>
      <p className="text-xs text-muted">
        {t('tokens', { count: maxTokens })}
        {temperature !== undefined && ` ${t('temperature', { value: temperature })}`}
      </p>
    </section>
  );
}

function MessageView({ role, parts }: SamplingMessage) {
  const t = useTranslations('inputs');
  if (parts.every((part) => 'text' in part && part.shown === undefined)) return null;
  return (
    <div>
      <p className="text-xs font-medium text-muted">{t(`roles.${role}`)}</p>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a message never move
        <div key={index} className="whitespace-pre-wrap wrap-anywhere">
          {'text' in part ? (
            <MessageText {...part} />
          ) : (
            <VisibleText
              text={t(`media.${part.type}`, { type: part.mimeType, size: formatBytes(part.size) })}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function MessageText({ text, shown }: { text: string; shown: string | undefined }) {
  if (shown === undefined) return null;
  if (shown.length === text.length) return <WholeText text={text} />;
  return (
    <>
      <VisibleText text={shown} goesOn />…
    </>
  );
}
