import { ChevronDown, RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { api } from '../../../state/session/api.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useOnce } from '../../../ui/hooks/use-submit.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { BranchSwitcher } from './branch-switcher.tsx';
import { MessageMenu } from './message-menu.tsx';
import { ModelMenu } from './model-menu.tsx';
import { QuoteButton } from './quote-button.tsx';
import { UsageLine } from './usage-line.tsx';

/** What can be done with a finished answer, how it ended, and what it took. */
export function AnswerActions({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const text = message.blocks
    .filter(({ type }) => type === 'main_text')
    .map(({ content }) => content)
    .join('\n\n');
  const once = useOnce();
  const regenerate = (model?: string) => {
    once(() => api.messages.regenerate(message.id, { model })).catch(showFailure);
  };
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="message-actions -ml-1.5 flex flex-wrap items-center gap-0.5 text-xs text-muted pointer-coarse:-ml-3.5"
    >
      {text && <CopyButton text={text} />}
      <IconButton label={t('regenerate')} size="small" onClick={() => regenerate()}>
        <RefreshCw />
      </IconButton>
      <OtherModels used={message.model} onChoose={regenerate} />
      {text && <QuoteButton messageId={message.id} text={text} />}
      <BranchSwitcher message={message} />
      <MessageMenu message={message} hasText={text !== ''} />
      {message.status === 'stopped' && (
        <span className="ml-1.5 rounded-full bg-sunken px-2 py-0.5">{t('stopped')}</span>
      )}
      <UsageLine message={message} />
    </div>
  );
}

interface OtherModelsProps {
  used: string | undefined;
  onChoose: (model: string) => void;
}

function OtherModels({ used, onChoose }: OtherModelsProps) {
  const t = useTranslations('message');
  return (
    <ModelMenu
      heading={t('regenerateWith')}
      used={used}
      onChoose={onChoose}
      trigger={
        <button
          type="button"
          aria-label={t('regenerateWith')}
          title={t('regenerateWith')}
          data-testid="regenerate-with"
          className="icon-button -ml-1.5 h-7 w-5 [&_svg]:size-3"
        >
          <ChevronDown />
        </button>
      }
    />
  );
}
