import type { ReactElement } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { UsageView } from '#shared/api/usage-api.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { axisTop } from './axis-top.ts';

type Day = UsageView['days'][number];

interface Series {
  label: string;
  look: keyof typeof looks;
  value: (day: Day) => number;
}

interface DayChartProps {
  title: string;
  days: Day[];
  /** Stacked, the first at the bottom. */
  series: Series[];
}

/** Colours that differ in lightness as well, so that they can be told apart without hue. */
const looks = {
  first: { bar: 'fill-line-strong', key: 'bg-line-strong' },
  second: { bar: 'fill-accent', key: 'bg-accent' },
};
const height = 120;
const width = 600;

/** Stacked bars, one for each day; the same numbers are there as a table. */
export function DayChart({ title, days, series }: DayChartProps): ReactElement {
  const t = useTranslations('usage');
  const format = useFormatter();
  const totals = days.map((day) => series.reduce((sum, { value }) => sum + value(day), 0));
  const top = axisTop(Math.max(...totals));
  const slot = width / days.length;
  const first = days[0]?.day;
  const last = days.at(-1)?.day;
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-sm font-medium">{title}</h3>
        <ul className="flex gap-3 text-xs text-muted" aria-hidden>
          {series.map(({ label, look }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={`size-2.5 rounded-xs ${looks[look].key}`} />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <div className="relative">
        <svg
          role="img"
          aria-label={t('chart', { title, days: days.length })}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="h-32 w-full border-b border-line-strong"
        >
          {days.map((day, index) => (
            <g key={day.day}>
              <title>{`${day.day}: ${format.number(totals[index] ?? 0)}`}</title>
              <rect x={index * slot} width={slot} height={height} className="fill-transparent" />
              {stack(day, series, top).map(({ look, y, size }) => (
                <rect
                  key={look}
                  x={index * slot + slot * 0.12}
                  y={y}
                  width={slot * 0.76}
                  height={size}
                  className={looks[look].bar}
                />
              ))}
            </g>
          ))}
        </svg>
        <span className="absolute top-0 left-0 text-[0.6875rem] text-muted" aria-hidden>
          {format.number(top, { notation: 'compact' })}
        </span>
      </div>
      <p className="mt-1 flex justify-between text-xs text-muted" aria-hidden>
        {first && (
          <span>{format.dateTime(new Date(`${first}T12:00`), { dateStyle: 'medium' })}</span>
        )}
        {last && <span>{format.dateTime(new Date(`${last}T12:00`), { dateStyle: 'medium' })}</span>}
      </p>
      <Disclosure summary={t('asTable')}>{() => <DayTable {...{ days, series }} />}</Disclosure>
    </section>
  );
}

/** Where the pieces of a day's bar lie, from the bottom up. */
function stack(day: Day, series: Series[], top: number) {
  let y = height;
  return series.map(({ look, value }) => {
    const size = (value(day) / top) * height;
    y -= size;
    return { look, y, size };
  });
}

function DayTable({ days, series }: Pick<DayChartProps, 'days' | 'series'>) {
  const t = useTranslations('usage');
  const format = useFormatter();
  return (
    <div className="max-h-72 overflow-y-auto" tabIndex={0}>
      <table className="w-full text-sm tabular-nums">
        <thead className="text-left text-xs text-muted">
          <tr>
            <th className="py-1 font-medium">{t('day')}</th>
            {series.map(({ label }) => (
              <th key={label} className="py-1 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {day.day}
              </th>
              {series.map(({ label, value }) => (
                <td key={label} className="py-1 text-right">
                  {format.number(value(day))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
