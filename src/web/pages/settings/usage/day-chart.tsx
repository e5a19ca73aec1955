import type { ReactElement } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { UsageView } from '#shared/api/usage-api.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { axisTop } from './axis-top.ts';
import { useDay } from './use-day.ts';

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
  failed: { bar: 'fill-danger', key: 'bg-danger' },
};
const height = 120;
const width = 600;

/** Stacked bars, one for each day, whose numbers show where it is pointed at; all of them are there as a table. */
export function DayChart({ title, days, series }: DayChartProps): ReactElement {
  const t = useTranslations('usage');
  const format = useFormatter();
  const totals = days.map((day) => series.reduce((sum, { value }) => sum + value(day), 0));
  const top = axisTop(Math.max(...totals));
  const { day: active, listeners } = useDay(days.length);
  const chosen = active === undefined ? undefined : days[active];
  return (
    <section>
      <Legend title={title} series={series} />
      <div
        role="group"
        tabIndex={0}
        aria-label={t('chartKeys', { title })}
        data-testid="day-chart"
        className="relative touch-pan-y rounded-sm"
        {...listeners}
      >
        <Bars {...{ title, days, series, top, active }} />
        <span className="absolute top-0 left-0 text-[0.6875rem] text-muted" aria-hidden>
          {format.number(top, { notation: 'compact' })}
        </span>
        <div role="status">
          {chosen && (
            <DayTip day={chosen} series={series} share={((active ?? 0) + 0.5) / days.length} />
          )}
        </div>
      </div>
      <FirstAndLast days={days} />
      <Disclosure summary={t('asTable')}>{() => <DayTable {...{ days, series }} />}</Disclosure>
    </section>
  );
}

function Legend({ title, series }: Pick<DayChartProps, 'title' | 'series'>) {
  return (
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
  );
}

interface BarsProps extends DayChartProps {
  /** The value at the upper edge. */
  top: number;
  active: number | undefined;
}

function Bars({ title, days, series, top, active }: BarsProps) {
  const t = useTranslations('usage');
  const slot = width / days.length;
  return (
    <svg
      role="img"
      aria-label={t('chart', { title, days: days.length })}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-32 w-full border-b border-line-strong"
    >
      {days.map((day, index) => (
        <g key={day.day}>
          {index === active && (
            <rect x={index * slot} width={slot} height={height} className="fill-hover" />
          )}
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
  );
}

function FirstAndLast({ days }: { days: Day[] }) {
  const [first, last] = [days[0], days.at(-1)];
  return (
    <p className="mt-1 flex justify-between text-xs text-muted" aria-hidden>
      {first && <DayName day={first} />}
      {last && <DayName day={last} />}
    </p>
  );
}

function DayName({ day: { day } }: { day: Day }) {
  const format = useFormatter();
  return <span>{format.dateTime(new Date(`${day}T12:00`), { dateStyle: 'medium' })}</span>;
}

/** What a day holds, above its bar: `share` of the chart lies to its left. */
function DayTip(props: Pick<DayChartProps, 'series'> & { day: Day; share: number }) {
  const { day, series, share } = props;
  const format = useFormatter();
  const at = `${share * 100}%`;
  return (
    <div
      data-testid="day-tip"
      className="pointer-events-none absolute bottom-full z-10 mb-1 w-max max-w-full rounded-lg border border-line bg-raised px-2.5 py-1.5 text-xs shadow-float"
      style={{ left: at, transform: `translateX(-${at})` }}
    >
      <p className="font-medium">
        <DayName day={day} />
      </p>
      <dl>
        {series.map(({ label, look, value }) => (
          <div key={label} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-xs ${looks[look].key}`} />
            <dt className="text-muted">{label}</dt>
            <dd className="ml-auto pl-3 tabular-nums">{format.number(value(day))}</dd>
          </div>
        ))}
      </dl>
    </div>
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
