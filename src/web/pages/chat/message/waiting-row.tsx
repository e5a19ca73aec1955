import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message, Waiting } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useToolText } from '../../../state/catalog/use-tool-text.ts';
import { Elapsed } from '../../../ui/text/elapsed.tsx';
import { RetryRow } from './retry-row.tsx';

interface WaitingRowProps {
  message: Message;
  waiting: Waiting;
  /** It waits for the answer before it. */
  queued: boolean;
}

/**
 * What a running answer waits for, and since when: shown at once and between rounds. It stays in sight
 * while its answer is, also where the end of that is not, and beside the way to the latest.
 */
export function WaitingRow({ message, waiting, queued }: WaitingRowProps): ReactElement {
  const words = useWords(message, waiting);
  const t = useTranslations('message');
  if (queued) {
    return (
      <p data-testid="waiting" data-for="turn" className="text-sm text-muted">
        {t('queued')}
      </p>
    );
  }
  if (waiting.retry)
    return <RetryRow message={message} retry={waiting.retry} since={waiting.since} />;
  const person = waiting.for === 'approval' || waiting.for === 'input';
  return (
    <p
      data-testid="waiting"
      data-for={waiting.for}
      className={`sticky bottom-3 z-10 flex w-fit max-w-[calc(100%-3rem)] sm:max-w-[calc(50%-0.5rem)] items-center gap-2.5 rounded-full bg-canvas px-3 py-1 ring-1 ring-line text-sm ${person ? 'text-warn' : 'text-muted'}`}
    >
      <span aria-hidden className="waiting-dots flex shrink-0 gap-1">
        <span className="size-1.5 rounded-full bg-accent" />
        <span className="size-1.5 rounded-full bg-accent" />
        <span className="size-1.5 rounded-full bg-accent" />
      </span>
      <span className="truncate">{words}</span>
      <Elapsed since={waiting.since} />
    </p>
  );
}

function useWords(message: Message, waiting: Waiting): string {
  const t = useTranslations('waiting');
  const model = useCatalog(({ models }) => models.find(({ id }) => id === message.model)?.name);
  const open = message.blocks.filter(
    (block): block is ToolBlock => block.type === 'tool' && isBlockOpen(block),
  );
  const [only] = open;
  const text = useToolText(only?.serverId);
  if (waiting.for === 'model') return model ? t('namedModel', { name: model }) : t('model');
  if (waiting.for !== 'tool') return t(waiting.for);
  if (only && open.length === 1) {
    const { title, toolName, modelToolName } = only;
    const name = title ? text(toolName, 'title', title) : toolName || modelToolName;
    return t('namedTool', { name });
  }
  return t('tool', { count: open.length });
}
