import type { ReactElement, ReactNode } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { UsageView } from '#shared/api/usage-api.ts';
import { formatCost } from '../../../ui/text/cost.ts';
import { useDuration } from '../../../ui/text/duration.ts';

/** What each model, server and tool was used for. */
export function UsageTables({ usage }: { usage: UsageView }): ReactElement {
  const t = useTranslations('usage');
  return (
    <>
      <ModelTable models={usage.models} />
      <CallTable
        title={t('byServer')}
        of={t('server')}
        rows={usage.servers.map((row) => ({ ...row, name: row.serverName }))}
      />
      <CallTable
        title={t('byTool')}
        of={t('tool')}
        rows={usage.tools.map((row) => ({ ...row, name: `${row.serverName} · ${row.toolName}` }))}
      />
    </>
  );
}

function ModelTable({ models }: Pick<UsageView, 'models'>) {
  const t = useTranslations('usage');
  const { number } = useFormatter();
  const locale = useLocale();
  const time = useTime();
  const hasCost = models.some(({ cost }) => cost > 0);
  const cost = (row: UsageView['models'][number]) =>
    row.cost > 0 ? formatCost(row.cost, locale, row.estimatedCost > 0) : '–';
  const names = ['model', 'answers', 'failed', 'in', 'out'] as const;
  const costs = hasCost ? (['cost'] as const) : [];
  return (
    <Table
      title={t('byModel')}
      head={[...names, ...costs, ...(['median', 'p95'] as const)].map((name) => t(name))}
      rows={models.map((row) => ({
        name: row.model,
        values: [
          number(row.answers),
          number(row.failedAnswers),
          <Tokens key="in" count={row.inputTokens} part={row.cachedInputTokens} of="cached" />,
          <Tokens key="out" count={row.outputTokens} part={row.reasoningTokens} of="reasoning" />,
          ...(hasCost ? [cost(row)] : []),
          time(row.medianMs),
          time(row.p95Ms),
        ],
      }))}
    />
  );
}

type Calls = Pick<UsageView['servers'][number], 'calls' | 'failedCalls' | 'medianMs' | 'p95Ms'>;

interface CallTableProps {
  title: string;
  /** What the rows are. */
  of: string;
  rows: (Calls & { name: string })[];
}

function CallTable({ title, of, rows }: CallTableProps) {
  const t = useTranslations('usage');
  const { number } = useFormatter();
  const time = useTime();
  return (
    <Table
      title={title}
      head={[of, t('calls'), t('failed'), t('median'), t('p95')]}
      rows={rows.map(({ name, calls, failedCalls, medianMs, p95Ms }) => ({
        name,
        values: [number(calls), number(failedCalls), time(medianMs), time(p95Ms)],
      }))}
    />
  );
}

function useTime(): (milliseconds: number | undefined) => string {
  const duration = useDuration();
  return (milliseconds) => (milliseconds === undefined ? '–' : duration(milliseconds));
}

function Tokens({ count, part, of }: { count: number; part: number; of: 'cached' | 'reasoning' }) {
  const t = useTranslations('usage');
  const { number } = useFormatter();
  return (
    <>
      {number(count)}
      {part > 0 && <span className="block text-xs text-muted">{t(of, { count: part })}</span>}
    </>
  );
}

interface TableProps {
  title: string;
  /** Of the names, then of each value. */
  head: string[];
  rows: { name: string; values: ReactNode[] }[];
}

function Table({ title, head, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="w-full text-sm tabular-nums">
          <Head names={head} />
          <tbody>
            {rows.map(({ name, values }) => (
              <tr key={name} className="border-t border-line align-top">
                <th scope="row" className="max-w-64 py-1.5 text-left font-normal break-words">
                  {name}
                </th>
                {values.map((value, column) => (
                  <td key={head[column + 1]} className="py-1.5 pl-4 text-right whitespace-nowrap">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Head({ names }: { names: string[] }) {
  return (
    <thead className="text-xs text-muted">
      <tr>
        {names.map((text, index) => (
          <th
            key={text}
            scope="col"
            className={`py-1.5 font-medium whitespace-nowrap ${index === 0 ? 'text-left' : 'pl-4 text-right'}`}
          >
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}
