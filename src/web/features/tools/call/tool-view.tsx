import { ChevronRight, ShieldAlert } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { useToolText } from '../../../state/catalog/use-tool-text.ts';
import { useSentence } from '../../../ui/notices/use-sentence.ts';
import { useDuration } from '../../../ui/text/duration.ts';
import { Elapsed } from '../../../ui/text/elapsed.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { CallInputs } from '../../inputs/call-inputs.tsx';
import { lazyPart, Part } from '../../loading/part.tsx';
import { previewArguments } from '../arguments/preview-arguments.ts';
import { ResultMedia } from '../result/result-media.tsx';
import { ServerMark } from './server-mark.tsx';
import { ToolProgressBar } from './tool-progress.tsx';
import { ToolStateLabel, ToolStateMark } from './tool-state.tsx';

/** Trees, tables and all that a result may need: read when the first call is opened. */
const ToolDetails = lazyPart(async () => (await import('./tool-details.tsx')).ToolDetails);
const ApprovalCard = lazyPart(
  async () => (await import('../approval/approval-card.tsx')).ApprovalCard,
);

/** A call of a tool: one line that opens to everything, and what must be seen without opening. */
export function ToolView({ block }: { block: ToolBlock }): ReactElement {
  const [open, setOpen] = useState(false);
  const id = useId();
  const asks = block.approval !== undefined && isBlockOpen(block);
  const running = isBlockOpen(block) && !asks;
  return (
    <div className="card overflow-hidden" data-testid="tool" data-state={block.state}>
      <ToolLine block={block} open={open} running={running} id={id} onToggle={setOpen} />
      {running && block.state !== 'proposed' && block.vendor === undefined && (
        <ToolProgressBar block={block} />
      )}
      <Part>{asks && <ApprovalCard block={block} />}</Part>
      {running && <CallInputs toolCallId={block.toolCallId} />}
      {!open && <ShortOutcome block={block} />}
      {open && (
        <div id={id} className="border-t border-line">
          <Part fallback={<div className="h-24" aria-busy />}>
            <ToolDetails block={block} showArguments={!asks} />
          </Part>
        </div>
      )}
    </div>
  );
}

interface ToolLineProps {
  block: ToolBlock;
  running: boolean;
  open: boolean;
  /** Of what it opens. */
  id: string;
  onToggle: (open: boolean) => void;
}

/** What is over takes one line until it is opened. */
function ToolLine({ block, running, open, id, onToggle }: ToolLineProps) {
  const isLine = !isBlockOpen(block) && !open;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => onToggle(!open)}
      className={`flex w-full items-center gap-2.5 px-3.5 text-left text-sm hover:bg-hover ${isLine ? 'py-2' : 'py-2.5'}`}
    >
      <ToolStateMark block={block} />
      <ServerMark serverId={block.serverId} serverName={block.serverName || (block.vendor ?? '')} />
      <ToolName block={block} isLine={isLine} />
      <ToolTime block={block} running={running} isLine={isLine} />
      <ChevronRight
        aria-hidden
        className={`size-4 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''}`}
      />
    </button>
  );
}

function ToolName({ block, isLine }: { block: ToolBlock; isLine: boolean }) {
  const t = useTranslations('tool');
  const text = useToolText(block.serverId);
  const name = block.title
    ? text(block.toolName, 'title', block.title)
    : block.toolName || block.modelToolName;
  const cut = isLine ? 'truncate' : 'wrap-anywhere';
  return (
    <span className={`flex min-w-0 flex-1 items-baseline gap-x-2 ${isLine ? '' : 'flex-wrap'}`}>
      <span
        className={`font-medium ${isLine ? 'max-w-4/5 shrink-0 truncate' : 'min-w-0 wrap-anywhere'}`}
      >
        <VisibleText text={name} />
      </span>
      {block.serverName && (
        <span className={`min-w-0 text-xs text-muted ${cut}`}>
          <VisibleText text={t('on', { server: block.serverName })} />
        </span>
      )}
      {block.vendor && (
        <span
          data-testid="run-by-vendor"
          title={t('runByHint')}
          className={`min-w-0 self-center rounded-full border border-line px-1.5 text-xs text-muted ${cut}`}
        >
          {t('runBy', { vendor: block.vendor })}
        </span>
      )}
      {block.untrusted && <UntrustedMark isLine={isLine} />}
      <span
        className={`truncate font-mono text-xs text-muted ${isLine ? 'min-w-0 flex-1 max-sm:hidden' : 'w-full'}`}
      >
        <VisibleText text={previewArguments(block)} />
      </span>
    </span>
  );
}

function UntrustedMark({ isLine }: { isLine: boolean }) {
  const t = useTranslations('tool');
  return (
    <span
      title={t('untrustedHint')}
      className="inline-flex shrink-0 items-center gap-1 self-center rounded-full bg-warn-soft px-1.5 text-xs text-warn"
    >
      <ShieldAlert aria-hidden className="size-3" />
      <span className={isLine ? 'max-sm:sr-only' : ''}>{t('untrusted')}</span>
    </span>
  );
}

function ToolTime(props: { block: ToolBlock; running: boolean; isLine: boolean }) {
  const { block, running, isLine } = props;
  const duration = useDuration();
  const { endedAt, startedAt, state } = block;
  // What was denied never ran, so it took no time.
  const took = endedAt === undefined || state === 'denied' ? undefined : endedAt - startedAt;
  // What a vendor ran is often told only when it is over: then nobody knows how long it took.
  const isTold = took !== undefined && (block.vendor === undefined || took >= 1000);
  return (
    <span
      className={`flex shrink-0 items-baseline text-right text-xs text-muted ${isLine ? 'gap-x-2' : 'flex-col items-end'}`}
    >
      {block.state === 'succeeded' ? null : <ToolStateLabel block={block} />}
      <span className="tabular-nums">
        {running ? <Elapsed since={block.startedAt} /> : isTold && duration(took)}
      </span>
    </span>
  );
}

/** A call that somebody stopped is no trouble. */
function errorLook({ state }: ToolBlock): string {
  return state === 'cancelled' ? 'text-muted' : 'text-danger';
}

/** What must be seen of the end of a call without opening it: why it failed, and pictures. */
function ShortOutcome({ block }: { block: ToolBlock }) {
  const t = useTranslations('tool');
  const reason = useReason();
  const sentence = useSentence();
  if (block.state === 'outcome_unknown')
    return <p className="px-3.5 pb-2.5 pl-10 text-sm text-warn">{t('unknownHint')}</p>;
  return (
    <>
      {block.error && (
        <p className={`px-3.5 pb-2.5 pl-10 text-sm ${errorLook(block)}`}>
          {inLine(reason(block.error))} {block.reach === 'left' && t('leftHint')}
        </p>
      )}
      {block.result?.problem !== undefined && (
        <p className="px-3.5 pb-2.5 pl-10 text-sm text-warn">
          {sentence(block.result.problem, block.result.problemSaid)}
        </p>
      )}
      {block.result && (
        <div className="px-3.5 pb-3 pl-10 empty:hidden">
          <ResultMedia result={block.result} />
        </div>
      )}
    </>
  );
}
