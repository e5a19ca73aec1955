import { MessageCircleQuestion } from 'lucide-react';
import { type ReactElement, useId, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { InputView } from '#shared/api/input-api.ts';
import { askingMark, formMark, usePoliteFocus } from '../../ui/focus/question-focus.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { FormInput } from './form-input.tsx';
import { SamplingInput } from './sampling-input.tsx';
import { UrlInput } from './url-input.tsx';
import { useAnswer } from './use-answer.ts';

/** A question of a server: who asks, what, and the ways to answer or to refuse. */
export function InputCard({ input }: { input: InputView }): ReactElement {
  const t = useTranslations('inputs');
  const titleId = useId();
  const card = useRef<HTMLDivElement>(null);
  const { busy, error, answer } = useAnswer(input.id, card);
  const isForm = input.kind === 'form';
  usePoliteFocus(card, isForm);
  const serverName = <VisibleText key="server" text={input.serverName} />;
  return (
    <div
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid="input"
      data-kind={input.kind}
      {...askingMark}
      {...(isForm && formMark)}
      className="space-y-3 bg-warn-soft/60 px-3.5 py-3 -outline-offset-2 pointer-coarse:outline-none"
    >
      <p id={titleId} className="flex items-center gap-2 text-sm font-medium">
        <MessageCircleQuestion aria-hidden className="size-4 shrink-0 text-warn" />
        <span className="min-w-0 break-words">
          {t.rich(`asks.${input.kind}`, { server: () => serverName })}
        </span>
      </p>
      {input.kind === 'form' && <FormInput {...{ input, busy, answer }} />}
      {input.kind === 'url' && <UrlInput {...{ input, busy, answer }} />}
      {input.kind === 'sampling' && <SamplingInput {...{ input, busy, answer }} />}
      {error && <ErrorNote error={error} />}
      <Expiry input={input} />
    </div>
  );
}

function Expiry({ input: { expiresAt } }: { input: InputView }) {
  const t = useTranslations('inputs');
  const format = useFormatter();
  if (expiresAt === undefined) return null;
  const time = format.dateTime(expiresAt, { hour: 'numeric', minute: '2-digit' });
  return <p className="text-xs text-muted">{t('expires', { time })}</p>;
}
