import { type ReactElement, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { formatCost } from '../../../ui/text/cost.ts';
import { useDuration } from '../../../ui/text/duration.ts';
import { TimeAgo } from '../../../ui/text/time-ago.tsx';
import { type AnswerUsage, usageOf } from './usage.ts';

/** The model of an answer, its tokens and when it was, in a line that opens to all figures; more under a pointer. */
export function UsageLine({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const duration = useDuration();
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const models = useCatalog((state) => state.models);
  const usage = usageOf(message);
  const name = models.find(({ id }) => id === message.model)?.name ?? message.model;
  const total = (usage.input ?? 0) + (usage.output ?? 0);
  const figures = [
    usage.time !== undefined && duration(usage.time),
    usage.cost !== undefined && formatCost(usage.cost, locale, usage.isEstimated),
  ].filter(Boolean);
  return (
    <PopOver
      label={t('usage')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          title={t('usage')}
          data-testid="usage"
          className="group/usage ml-1 min-w-0 truncate rounded-md px-1.5 py-1 text-left tabular-nums hover:bg-hover hover:text-ink data-[popup-open]:bg-hover"
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
    </PopOver>
  );
}

function Figures({ usage, model }: { usage: AnswerUsage; model: string | undefined }) {
  const t = useTranslations('message');
  const format = useFormatter();
  const duration = useDuration();
  const locale = useLocale();
  const { input, cached, cacheWrite, output, reasoning, time, speed, cost, isEstimated } = usage;
  const count = (value: number | undefined) =>
    value === undefined ? undefined : format.number(value);
  const pace = speed && t('tokensPerSecond', { value: format.number(Math.round(speed)) });
  const rows: [string, string | undefined][] = [
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
  return (
    <dl className="space-y-1 px-2 py-1.5 text-sm" data-testid="usage-figures">
      {rows.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 text-right break-words tabular-nums">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
