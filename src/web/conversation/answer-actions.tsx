import { Menu } from '@base-ui/react/menu';
import { ChevronDown, RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/message.ts';
import { messagesApi } from '../api/messages-api.ts';
import { useCatalog } from '../state/catalog.ts';
import { showFailure } from '../state/notices.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { BranchSwitcher } from './branch-switcher.tsx';

/** What can be done with a finished answer, and how it ended. */
export function AnswerActions({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const text = message.blocks
    .filter(({ type }) => type === 'main_text')
    .map(({ content }) => content)
    .join('\n\n');
  const regenerate = (model?: string) => {
    messagesApi.regenerate(message.id, model).catch(showFailure);
  };
  return (
    <div className="-ml-1.5 flex flex-wrap items-center gap-0.5 text-xs text-muted">
      {text && <CopyButton text={text} />}
      <IconButton label={t('regenerate')} size="small" onClick={() => regenerate()}>
        <RefreshCw />
      </IconButton>
      <OtherModels onChoose={regenerate} />
      <BranchSwitcher message={message} />
      {message.status === 'stopped' && (
        <span className="ml-1.5 rounded-full bg-sunken px-2 py-0.5">{t('stopped')}</span>
      )}
      <span className="ml-1.5 truncate opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100">
        {message.model}
        {message.usage?.outputTokens !== undefined &&
          ` · ${t('tokens', { input: message.usage.inputTokens ?? 0, output: message.usage.outputTokens })}`}
      </span>
    </div>
  );
}

function OtherModels({ onChoose }: { onChoose: (model: string) => void }) {
  const t = useTranslations('message');
  const models = useCatalog((state) => state.models);
  if (models.length < 2) return null;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('regenerateWith')}
        title={t('regenerateWith')}
        className="icon-button -ml-1.5 h-7 w-5 [&_svg]:size-3"
      >
        <ChevronDown />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={4} className="z-30">
          <Menu.Popup className="popup max-h-80 w-64 p-1.5">
            {models.map(({ id, name }) => (
              <Menu.Item key={id} className="menu-item" onClick={() => onChoose(id)}>
                <span className="truncate">{name}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
