import type { ReactElement, ReactNode } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { UsageView } from '#shared/api/usage-api.ts';
import { formatCost } from '../../../ui/text/cost.ts';
import { useDuration } from '../../../ui/text/duration.ts';

/** What each model, server and tool was used for. */
export function UsageTables({ usage }: { usage: UsageView }): ReactElement {
  const t = useTranslations('usage');
  const { number } = useFormatter();
  const duration = useDuration();
  const locale = useLocale();
  const hasCost = usage.models.some(({ cost }) => cost > 0);
  const time = (milliseconds: number | undefined) =>
    milliseconds === undefined ? '–' : duration(milliseconds);
  return (
    <>
      <Table
        title={t('byModel')}
        head={[
          t('model'),
          t('answers'),
          t('failed'),
          t('in'),
          t('out'),
          ...(hasCost ? [t('cost')] : []),
          t('median'),
          t('p95'),
        ]}
        rows={usage.models.map((row) => ({
          name: row.model,
          values: [
            number(row.answers),
            number(row.failedAnswers),
            <Tokens key="in" count={row.inputTokens} part={row.cachedInputTokens} of="cached" />,
            <Tokens key="out" count={row.outputTokens} part={row.reasoningTokens} of="reasoning" />,
            ...(hasCost
              ? [row.cost > 0 ? formatCost(row.cost, locale, row.estimatedCost > 0) : '–']
              : []),
            time(row.medianMs),
            time(row.p95Ms),
          ],
        }))}
      />
      <Table
        title={t('byServer')}
        head={[t('server'), t('calls'), t('failed'), t('median'), t('p95')]}
        rows={usage.servers.map((row) => ({
          name: row.serverName,
          values: [number(row.calls), number(row.failedCalls), time(row.medianMs), time(row.p95Ms)],
        }))}
      />
      <Table
        title={t('byTool')}
        head={[t('tool'), t('calls'), t('failed'), t('median'), t('p95')]}
        rows={usage.tools.map((row) => ({
          name: `${row.serverName} · ${row.toolName}`,
          values: [number(row.calls), number(row.failedCalls), time(row.medianMs), time(row.p95Ms)],
        }))}
      />
    </>
  );
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
          <thead className="text-xs text-muted">
            <tr>
              {head.map((text, index) => (
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
