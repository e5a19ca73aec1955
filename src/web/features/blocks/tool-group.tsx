import { ChevronRight, Layers } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { useDuration } from '../../ui/text/duration.ts';
import { ResultMedia } from '../tools/result/result-media.tsx';
import { BlockView } from './block-view.tsx';
import type { BlockGroup } from './group-blocks.ts';

/** A group of more calls than this is folded unless the reader opens it. */
const fewest = 3;

/** Calls that belong together behind one line; what still runs or asks is seen also while it is folded. */
export function ToolGroup({ group }: { group: BlockGroup }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const id = useId();
  const open = chosen ?? group.tools.length <= fewest;
  const shown = open ? group.blocks : group.blocks.filter(isBlockOpen);
  return (
    <section data-testid="tool-group" data-open={open}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={shown.length > 0 ? id : undefined}
        onClick={() => setChosen(!open)}
        className="-mx-1.5 flex min-h-8 max-w-full items-center gap-2 rounded-md px-1.5 py-1 text-left text-sm text-muted hover:text-ink pointer-coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden
          className={`size-3.5 shrink-0 transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <Layers aria-hidden className="size-3.5 shrink-0" />
        <Summary tools={group.tools} />
      </button>
      {shown.length > 0 && (
        <div id={id} className="mt-1.5 space-y-2 border-l border-line pl-3">
          {shown.map((block) => (
            <BlockView key={block.id} block={block} />
          ))}
        </div>
      )}
      {!open && <FoldedMedia tools={group.tools} />}
    </section>
  );
}

function Summary({ tools }: { tools: ToolBlock[] }) {
  const t = useTranslations('tool');
  const duration = useDuration();
  const running = tools.filter(isBlockOpen).length;
  const done = tools.filter(({ state }) => state === 'succeeded').length;
  const failed = tools.length - running - done;
  const words = [
    t('groupTools', { count: tools.length }),
    ...[...new Set(tools.flatMap(({ vendor }) => vendor ?? []))].map((vendor) => {
      const count = tools.filter((tool) => tool.vendor === vendor).length;
      return count === tools.length ? t('runBy', { vendor }) : t('groupRunBy', { vendor, count });
    }),
    (running > 0 || failed > 0) && t('groupDone', { count: done }),
    failed > 0 && t('groupFailed', { count: failed }),
    running === 0 && duration(spanOf(tools)),
  ].filter(Boolean);
  return (
    <span aria-live="polite" className="truncate tabular-nums">
      {words.join(' · ')}
    </span>
  );
}

/** From the first start to the last end: what ran at once counts once. */
function spanOf(tools: ToolBlock[]): number {
  const starts = tools.map(({ startedAt }) => startedAt);
  const ends = tools.map(({ endedAt, startedAt }) => endedAt ?? startedAt);
  return Math.max(...ends) - Math.min(...starts);
}

/** Pictures are seen without opening anything. */
function FoldedMedia({ tools }: { tools: ToolBlock[] }) {
  return (
    <>
      {tools.map(({ id, result, status }) =>
        result && status === 'success' ? (
          <div key={id} className="mt-2 empty:hidden">
            <ResultMedia result={result} />
          </div>
        ) : null,
      )}
    </>
  );
}
