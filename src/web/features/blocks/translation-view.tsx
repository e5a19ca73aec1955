import { Languages, Square } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { isBlockOpen, type TranslationBlock } from '#shared/vocabulary/block.ts';
import { api } from '../../state/session/api.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Toggle } from '../../ui/controls/toggle.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { Elapsed } from '../../ui/text/elapsed.tsx';
import { languageName } from '../../ui/text/languages.ts';
import { Markdown } from '../markdown/markdown.tsx';

const action = 'rounded-md px-2 py-1 text-xs text-muted hover:bg-hover hover:text-ink';

/** A translation of what stands above it; it can be folded away, and stopped while it is made. */
export function TranslationView({ block }: { block: TranslationBlock }): ReactElement {
  const t = useTranslations('block');
  const locale = useLocale();
  const [shown, setShown] = useState(true);
  const growing = isBlockOpen(block);
  const language = block.language ? languageName(block.language, locale) : '';
  const title = language ? t('translatedInto', { language }) : t('translation');
  return (
    <section aria-label={title} className="border-l-2 border-accent-text/50 pl-4">
      <div className="flex min-h-8 items-center gap-1.5 text-xs font-medium text-muted">
        <Languages aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{growing ? t('translating', { language }) : title}</span>
        {growing && <Elapsed since={block.startedAt} />}
        <span className="ml-auto flex shrink-0 items-center">
          {growing && <StopTranslation messageId={block.messageId} />}
          {!growing && block.content && (
            <>
              <CopyButton text={block.content} />
              <Toggle open={shown} onToggle={setShown} className={action}>
                {shown ? t('hide') : t('show')}
              </Toggle>
            </>
          )}
        </span>
      </div>
      {shown && (
        <div lang={block.language} className="mt-0.5">
          <Markdown text={block.content} growing={growing} />
        </div>
      )}
      <div className="mt-2 empty:hidden">{block.error && <ErrorNote error={block.error} />}</div>
    </section>
  );
}

function StopTranslation({ messageId }: { messageId: string }) {
  const t = useTranslations('block');
  return (
    <IconButton
      label={t('stopTranslation')}
      size="small"
      data-testid="stop-translation"
      className="pointer-coarse:size-11"
      onClick={() => {
        api.messages.stop(messageId).catch(showFailure);
      }}
    >
      <Square className="fill-current" />
    </IconButton>
  );
}
