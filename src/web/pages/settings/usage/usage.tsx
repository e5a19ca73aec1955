import { type ReactElement, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { UsageView } from '#shared/api/usage-api.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { formatCost } from '../../../ui/text/cost.ts';
import { DayChart } from './day-chart.tsx';
import { UsageTables } from './usage-tables.tsx';

const spans = [7, 30, 90];

/** Recent usage: calls, answers and tokens by day, server, tool and model. */
export function Usage(): ReactElement {
  const t = useTranslations('usage');
  const common = useTranslations('common');
  const [days, setDays] = useState(30);
  const { value, error } = useLoaded((signal) => api.settings.usage(days, signal), String(days));
  return (
    <div className="space-y-8" data-testid="usage" aria-busy={!value && !error}>
      <div role="group" aria-label={t('span')} className="flex gap-1">
        {spans.map((span) => (
          <button
            key={span}
            type="button"
            aria-pressed={span === days}
            onClick={() => setDays(span)}
            className="rounded-md border border-line px-2.5 py-1 text-sm text-muted hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
          >
            {t('days', { count: span })}
          </button>
        ))}
      </div>
      {error && <ErrorNote error={error} />}
      {!value && !error && <p className="text-sm text-muted">{common('loading')}</p>}
      {value && <Overview usage={value} />}
    </div>
  );
}

function Overview({ usage }: { usage: UsageView }) {
  const t = useTranslations('usage');
  const total = (field: Exclude<keyof UsageView['days'][number], 'day'>) =>
    usage.days.reduce((sum, day) => sum + day[field], 0);
  if (total('answers') === 0 && total('calls') === 0)
    return <p className="text-muted">{t('nothing')}</p>;
  return (
    <>
      <dl className="flex flex-wrap gap-3 *:grow *:basis-28">
        <Total label={t('answers')} value={total('answers')} failed={total('failedAnswers')} />
        <Total label={t('calls')} value={total('calls')} failed={total('failedCalls')} />
        <Total label={t('inputTokens')} value={total('inputTokens')} />
        <Total label={t('outputTokens')} value={total('outputTokens')} />
        {total('cost') > 0 && <Cost value={total('cost')} estimated={total('estimatedCost')} />}
      </dl>
      <DayChart
        title={t('callsByDay')}
        days={usage.days}
        series={[
          { label: t('succeeded'), look: 'first', value: (day) => day.calls - day.failedCalls },
          { label: t('failed'), look: 'failed', value: (day) => day.failedCalls },
        ]}
      />
      <DayChart
        title={t('tokensByDay')}
        days={usage.days}
        series={[
          { label: t('inputTokens'), look: 'first', value: (day) => day.inputTokens },
          { label: t('outputTokens'), look: 'second', value: (day) => day.outputTokens },
        ]}
      />
      <UsageTables usage={usage} />
    </>
  );
}

function Cost({ value, estimated }: { value: number; estimated: number }) {
  const t = useTranslations('usage');
  const locale = useLocale();
  return (
    <div className="card px-3.5 py-3">
      <dt className="text-xs text-muted">{t('cost')}</dt>
      <dd className="mt-0.5 text-xl font-semibold tabular-nums">
        {formatCost(value, locale, estimated > 0)}
      </dd>
    </div>
  );
}

function Total({ label, value, failed = 0 }: { label: string; value: number; failed?: number }) {
  const t = useTranslations('usage');
  const format = useFormatter();
  return (
    <div className="card px-3.5 py-3">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 text-xl font-semibold tabular-nums">
        {format.number(value, { notation: 'compact', maximumFractionDigits: 1 })}
        {failed > 0 && (
          <span className="ml-2 text-xs font-normal text-danger">
            {t('failedCount', { count: failed })}
          </span>
        )}
      </dd>
    </div>
  );
}
