import { ChevronRight } from 'lucide-react';
import { lazy, type ReactElement, Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/block.ts';
import { CallInputs } from '../../inputs/call-inputs.tsx';
import { useDuration } from '../../ui/duration.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { previewArguments } from './preview-arguments.ts';
import { ResultMedia } from './result-media.tsx';
import { ToolDetails } from './tool-details.tsx';
import { ToolProgressBar } from './tool-progress.tsx';
import { ToolStateLabel, ToolStateMark } from './tool-state.tsx';

const ApprovalCard = lazy(async () => {
  const { ApprovalCard } = await import('./approval-card.tsx');
  return { default: ApprovalCard };
});

/** A call of a tool: one line that opens to everything, and what must be seen without opening. */
export function ToolView({ block }: { block: ToolBlock }): ReactElement {
  const [open, setOpen] = useState(false);
  const id = useId();
  const asks = block.approval !== undefined && isBlockOpen(block);
  const running = isBlockOpen(block) && !asks;
  return (
    <div className="card overflow-hidden">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2.5 px-3.5 py-2.5 text-left text-sm hover:bg-hover"
      >
        <ToolStateMark block={block} />
        <ToolName block={block} />
        <ToolTime block={block} running={running} />
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''}`}
        />
      </button>
      {running && block.progress && <ToolProgressBar block={block} progress={block.progress} />}
      <Suspense>{asks && <ApprovalCard block={block} />}</Suspense>
      {running && <CallInputs toolCallId={block.toolCallId} />}
      {block.error && !open && (
        <p className="px-3.5 pb-2.5 pl-10 text-sm text-danger">{block.error.message}</p>
      )}
      {block.result && !open && <ResultMedia result={block.result} />}
      {open && (
        <div id={id} className="border-t border-line">
          <ToolDetails block={block} showArguments={!asks} />
        </div>
      )}
    </div>
  );
}

function ToolName({ block }: { block: ToolBlock }) {
  const t = useTranslations('tool');
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
      <span className="font-medium">{block.title ?? block.toolName}</span>
      <span className="text-xs text-muted">{t('on', { server: block.serverName })}</span>
      <span className="w-full truncate font-mono text-xs text-muted">
        <VisibleText text={previewArguments(block)} />
      </span>
    </span>
  );
}

function ToolTime({ block, running }: { block: ToolBlock; running: boolean }) {
  const duration = useDuration();
  const { endedAt, startedAt, state } = block;
  // What was denied never ran, so it took no time.
  const took = endedAt === undefined || state === 'denied' ? undefined : endedAt - startedAt;
  return (
    <span className="shrink-0 text-right text-xs text-muted">
      {block.state === 'succeeded' ? null : <ToolStateLabel block={block} />}
      <span className="block tabular-nums">
        {running ? <Elapsed since={block.startedAt} /> : took !== undefined && duration(took)}
      </span>
    </span>
  );
}
