import { ChartGantt } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { lazyPart, Part } from '../../../features/loading/part.tsx';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { formatCost } from '../../../ui/text/cost.ts';
import { useDuration } from '../../../ui/text/duration.ts';
import { TimeAgo } from '../../../ui/text/time-ago.tsx';
import { type AnswerUsage, usageOf } from './usage.ts';

/** Read when it is first opened. */
const TimelineDialog = lazyPart(
  async () => (await import('../../../features/timeline/timeline-dialog.tsx')).TimelineDialog,
);

/** The model of an answer, its tokens and when it was, in a line that opens to all figures; more under a pointer. */
export function UsageLine({ message }: { message: Message }): ReactElement {
  const [timeline, setTimeline] = useState<'open' | 'closed'>();
  return (
    <>
      <UsagePopOver message={message} onTimeline={() => setTimeline('open')} />
      <Part>
        {timeline && (
          <TimelineDialog
            answerId={message.id}
            open={timeline === 'open'}
            onClose={() => setTimeline('closed')}
          />
        )}
      </Part>
    </>
  );
}

function UsagePopOver({ message, onTimeline }: { message: Message; onTimeline: () => void }) {
  const t = useTranslations('message');
  const timeline = useTranslations('timeline');
  const [open, setOpen] = useState(false);
  const models = useCatalog((state) => state.models);
  const usage = usageOf(message);
  const name = models.find(({ id }) => id === message.model)?.name ?? message.model;
  const total = (usage.input ?? 0) + (usage.output ?? 0);
  const figures = useTimeAndCost(usage);
  return (
    <PopOver
      label={t('usage')}
      width="w-max min-w-72"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          title={t('usage')}
          data-testid="usage"
          className="group/usage ml-1 min-w-0 truncate pointer-coarse:ml-2 rounded-md px-1.5 py-1 text-left tabular-nums hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
        >
          {name && `${name} · `}
          {total > 0 && `${t('tokens', { count: total })} · `}
          <TimeAgo at={message.endedAt ?? message.createdAt} />
          {figures.length > 0 && (
            <span className="transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-data-[popup-open]/usage:opacity-100 pointer-coarse:hidden pointer-fine:opacity-0">
              {` · ${figures.join(' · ')}`}
            </span>
          )}
        </button>
      }
    >
      <Figures usage={usage} model={message.model} />
      <button
        type="button"
        data-testid="show-timeline"
        className="menu-item mt-1 w-full border-t border-line"
        onClick={() => {
          setOpen(false);
          onTimeline();
        }}
      >
        <ChartGantt />
        {timeline('show')}
      </button>
    </PopOver>
  );
}

function useTimeAndCost({ time, cost, isEstimated }: AnswerUsage): string[] {
  const duration = useDuration();
  const locale = useLocale();
  return [
    ...(time === undefined ? [] : [duration(time)]),
    ...(cost === undefined ? [] : [formatCost(cost, locale, isEstimated)]),
  ];
}

interface FiguresProps {
  usage: AnswerUsage;
  model: string | undefined;
}

/** What is known of an answer; undefined where it is not. */
function useFigures({ usage, model }: FiguresProps): [string, string | undefined][] {
  const t = useTranslations('message');
  const format = useFormatter();
  const duration = useDuration();
  const locale = useLocale();
  const { input, cached, cacheWrite, output, reasoning, time, speed, cost, isEstimated } = usage;
  const count = (value: number | undefined) =>
    value === undefined ? undefined : format.number(value);
  const pace = speed && t('tokensPerSecond', { value: format.number(Math.round(speed)) });
  return [
    [t('usageModel'), model],
    [t('usageInput'), count(input)],
    [t('usageCached'), count(cached)],
    [t('usageCacheWrite'), count(cacheWrite)],
    [t('usageOutput'), count(output)],
    [t('usageReasoning'), count(reasoning)],
    [t('usageTime'), time === undefined ? undefined : duration(time)],
    [t('usageSpeed'), pace || undefined],
    [
      t(isEstimated ? 'usageCostEstimated' : 'usageCost'),
      cost === undefined ? undefined : formatCost(cost, locale, isEstimated),
    ],
  ];
}

function Figures(props: FiguresProps) {
  return (
    <dl className="space-y-1 px-2 py-1.5 text-sm" data-testid="usage-figures">
      {useFigures(props).map(([label, value]) =>
        value === undefined ? null : (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 truncate text-right tabular-nums" title={value}>
              {value}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
