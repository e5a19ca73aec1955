import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { TimelineCall, TimelineRequest } from '#shared/telemetry/timeline-api.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { useToolText } from '../../state/catalog/use-tool-text.ts';
import { formatCost } from '../../ui/text/cost.ts';
import { useDuration } from '../../ui/text/duration.ts';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { CallStepList } from './call-step-list.tsx';
import type { TimeScale } from './time-scale.ts';
import type { Segment, TimelineRow } from './timeline-rows.ts';

interface ChartProps {
  rows: readonly TimelineRow[];
  scale: TimeScale;
  startedAt: number;
}

const columns =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)_5.5rem_5rem_4.5rem]';

/** A table, one bar a row. Each row opens to its details. */
export function TimelineChart({ rows, scale, startedAt }: ChartProps): ReactElement {
  const t = useTranslations('timeline');
  return (
    <div role="table" aria-label={t('title')} className="text-sm">
      <div role="row" className={`${columns} pb-1.5 text-xs text-muted max-sm:sr-only`}>
        <span role="columnheader">{t('step')}</span>
        <span aria-hidden />
        <span role="columnheader" className="text-right">
          {t('start')}
        </span>
        <span role="columnheader" className="text-right">
          {t('duration')}
        </span>
        <span role="columnheader" className="text-right">
          {t('tokens')}
        </span>
      </div>
      {rows.map((row) => (
        <Row key={row.key} row={row} scale={scale} startedAt={startedAt} />
      ))}
    </div>
  );
}

function Row({ row, scale, startedAt }: { row: TimelineRow } & Omit<ChartProps, 'rows'>) {
  const duration = useDuration();
  const format = useFormatter();
  const [open, setOpen] = useState(false);
  const id = useId();
  const { inputTokens, outputTokens } = row.request?.usage ?? {};
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return (
    <>
      <div role="row" className={`${columns} border-t border-line py-1.5`}>
        <RowHeader row={row} open={open} detailsId={id} onToggle={() => setOpen(!open)} />
        <Bar segments={row.segments} scale={scale} />
        <span
          role="cell"
          className="text-right text-xs whitespace-nowrap text-muted tabular-nums max-sm:sr-only"
        >
          +{duration(row.startedAt - startedAt)}
        </span>
        <span
          role="cell"
          className="text-right text-xs whitespace-nowrap tabular-nums max-sm:col-start-2 max-sm:row-start-1"
        >
          {duration(row.endedAt - row.startedAt)}
        </span>
        <span role="cell" className="text-right text-xs text-muted tabular-nums max-sm:sr-only">
          {tokens > 0 && format.number(tokens)}
        </span>
      </div>
      {open && (
        <div role="row" id={id}>
          <div role="cell" aria-colspan={4} className="pb-3 pl-8">
            {row.call ? <CallDetails call={row.call} /> : <RequestDetails request={row.request} />}
          </div>
        </div>
      )}
    </>
  );
}

/** What the row is of; opens it. */
function RowHeader(props: {
  row: TimelineRow;
  open: boolean;
  detailsId: string;
  onToggle: () => void;
}) {
  const { row, open, detailsId, onToggle } = props;
  return (
    <span role="rowheader" className={row.call ? 'min-w-0 pl-4' : 'min-w-0'}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? detailsId : undefined}
        data-testid="timeline-row"
        onClick={onToggle}
        className="-mx-1.5 flex max-w-full items-center gap-1 rounded-md px-1.5 py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={`size-3.5 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <Name row={row} />
      </button>
    </span>
  );
}

function Name({ row }: { row: TimelineRow }) {
  const { round, call } = row;
  const t = useTranslations('timeline');
  const tool = useTranslations('tool');
  const text = useToolText(call?.serverId);
  const state = call?.state ?? stateOf(row.request);
  return (
    <span className="min-w-0 truncate">
      {call ? (
        <VisibleText text={call.title ? text(call.toolName, 'title', call.title) : call.toolName} />
      ) : (
        t('round', { number: round + 1 })
      )}
      {state !== 'succeeded' && <span className="ml-1.5 text-xs text-muted">{tool(state)}</span>}
    </span>
  );
}

/** How a request ended, in the words for calls. */
function stateOf({ error }: Pick<TimelineRequest, 'error'> = {}) {
  if (error === undefined) return 'succeeded';
  return error === 'cancelled' ? 'cancelled' : 'failed';
}

/** For the eye: the cells beside it say the same. */
function Bar({ segments, scale }: { segments: readonly Segment[]; scale: TimeScale }) {
  return (
    <span
      aria-hidden
      className="relative h-3.5 overflow-hidden rounded bg-sunken max-sm:col-span-2 max-sm:row-start-2 max-sm:mt-1"
    >
      {segments.map(({ kind, startedAt, endedAt }) => {
        const left = scale.place(startedAt) * 100;
        const width = scale.place(endedAt) * 100 - left;
        return (
          <span
            key={`${kind} ${startedAt}`}
            className={`timeline-segment is-${kind} absolute inset-y-0 min-w-0.5 rounded-xs`}
            style={{ left: `min(${left}%, calc(100% - 2px))`, width: `${width}%` }}
          />
        );
      })}
    </span>
  );
}

function CallDetails({ call }: { call: TimelineCall }) {
  const tool = useTranslations('tool');
  return (
    <div className="space-y-2">
      {call.serverName && (
        <p className="text-xs text-muted">
          <VisibleText text={tool('on', { server: call.serverName })} />
        </p>
      )}
      {call.vendor && (
        <p className="text-xs text-muted">{tool('runBy', { vendor: call.vendor })}</p>
      )}
      <CallStepList call={call} />
    </div>
  );
}

function RequestDetails({ request }: { request: TimelineRequest }) {
  const t = useTranslations('timeline');
  const duration = useDuration();
  const { startedAt, firstAt, finishReason, error, usage } = request;
  const lines = [
    ...(firstAt === undefined ? [] : [[t('firstToken'), duration(firstAt - startedAt)]]),
    ...useUsageLines(usage),
    ...(finishReason === undefined ? [] : [[t('finishReason'), finishReason]]),
    ...(error === undefined ? [] : [[t('error'), error]]),
  ];
  return (
    <dl className="grid w-fit grid-cols-[auto_auto] gap-x-6 gap-y-1">
      {lines.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useUsageLines(usage: Usage | undefined): string[][] {
  const t = useTranslations('message');
  const format = useFormatter();
  const locale = useLocale();
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage ?? {};
  const counts = [
    [t('usageInput'), inputTokens],
    [t('usageCached'), cachedInputTokens],
    [t('usageOutput'), outputTokens],
    [t('usageReasoning'), reasoningTokens],
  ] as const;
  const lines = counts.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, format.number(value)]],
  );
  const { cost, costEstimated } = usage ?? {};
  if (cost === undefined) return lines;
  const label = t(costEstimated ? 'usageCostEstimated' : 'usageCost');
  return [...lines, [label, formatCost(cost, locale, costEstimated)]];
}
