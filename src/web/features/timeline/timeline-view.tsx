import type { ReactElement } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { Timeline } from '#shared/telemetry/timeline-api.ts';
import { api } from '../../state/session/api.ts';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { formatCost } from '../../ui/text/cost.ts';
import { useDuration } from '../../ui/text/duration.ts';
import { createTimeScale } from './time-scale.ts';
import { TimelineChart } from './timeline-chart.tsx';
import { isBusy, timeOf, type TimelineRow, timelineRows } from './timeline-rows.ts';

/** What an answer spent its time on: figures, and a chart that is a table. */
export function TimelineView({ answerId }: { answerId: string }): ReactElement {
  const { value, error } = useLoaded((signal) => api.messages.timeline(answerId, signal), answerId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <div className="h-40" aria-busy />;
  return <Loaded timeline={value} />;
}

function Loaded({ timeline }: { timeline: Timeline }) {
  const t = useTranslations('timeline');
  const ends = [...timeline.requests, ...timeline.calls].map(({ endedAt = 0 }) => endedAt);
  const endedAt = timeline.endedAt ?? Math.max(timeline.startedAt, ...ends);
  const rows = timelineRows(timeline, endedAt);
  const whole = { startedAt: timeline.startedAt, endedAt };
  const scale = createTimeScale(whole, rows.flatMap((row) => row.segments).filter(isBusy));
  const isDerived = timeline.requests.some(
    (request) => request.derived && request.endedAt !== undefined,
  );
  return (
    <div data-testid="timeline" className="space-y-4">
      <Figures timeline={timeline} rows={rows} time={endedAt - timeline.startedAt} />
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{t('empty')}</p>
      ) : (
        <TimelineChart rows={rows} scale={scale} startedAt={timeline.startedAt} />
      )}
      <Legend rows={rows} />
      {(isDerived || scale.isShortened) && (
        <p className="text-xs text-pretty text-muted">
          {[isDerived && t('derived'), scale.isShortened && t('shortened')]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </div>
  );
}

function Figures(props: { timeline: Timeline; rows: TimelineRow[]; time: number }) {
  const { timeline, rows, time } = props;
  const t = useTranslations('timeline');
  const format = useFormatter();
  const duration = useDuration();
  const locale = useLocale();
  const { inputTokens = 0, outputTokens = 0, cost, costEstimated } = timeline.usage ?? {};
  const tokens = inputTokens + outputTokens;
  const ofModel = timeOf(
    rows.filter(({ request }) => request),
    isBusy,
  );
  const ofTools = timeOf(
    rows.filter(({ call }) => call),
    isBusy,
  );
  const waited = timeOf(rows, (segment) => !isBusy(segment));
  const figures = [
    [t('total'), duration(time)],
    [t('model'), duration(ofModel)],
    [t('tools'), ofTools > 0 && duration(ofTools)],
    [t('waiting'), waited > 0 && duration(waited)],
    [t('tokens'), tokens > 0 && format.number(tokens)],
    [t('cost'), cost !== undefined && formatCost(cost, locale, costEstimated)],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
      {figures.map(([label, value]) =>
        value ? (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** Only of what the chart shows; the words of each row say it too. */
function Legend({ rows }: { rows: TimelineRow[] }) {
  const t = useTranslations('timeline');
  const kinds = new Set(rows.flatMap((row) => row.segments.map(({ kind }) => kind)));
  return (
    <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {(['first', 'model', 'run', 'failed', 'approval', 'input', 'queue'] as const)
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span className={`timeline-segment size-2.5 rounded-sm is-${kind}`} />
            {t(`kinds.${kind}`)}
          </li>
        ))}
    </ul>
  );
}
