import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/json.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ArgumentsHead } from './arguments-head.tsx';

const mostLength = 600;
const mostLines = 12;

/** The exact arguments a person decides on, with everything in them that would not be seen. */
export function ApprovalArguments({ value }: { value: JsonObject }): ReactElement {
  const t = useTranslations('tool');
  const [asJson, setAsJson] = useState(false);
  const entries = Object.entries(value);
  const json = JSON.stringify(value, null, 2);
  return (
    <section data-testid="approval-arguments">
      <ArgumentsHead json={json} asJson={asJson} onChange={setAsJson} />
      {entries.length === 0 && <p className="text-sm text-muted">{t('noArguments')}</p>}
      {entries.length > 0 && (
        <div className="rounded-lg border border-line bg-raised px-3.5 py-2.5 text-sm">
          {asJson ? <LongValue text={json} /> : <Values entries={entries} />}
        </div>
      )}
    </section>
  );
}

function Values({ entries }: { entries: [string, JsonObject[string]][] }) {
  return (
    <dl className="space-y-1.5">
      {entries.map(([name, value]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="shrink-0 font-mono text-[0.8125rem] leading-relaxed break-all text-muted sm:w-32">
            <VisibleText text={name} />
          </dt>
          <dd className="min-w-0 flex-1">
            <LongValue text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value in its own shape; a long one is cut until the reader asks for all of it. */
function LongValue({ text }: { text: string }) {
  const t = useTranslations('common');
  const [whole, setWhole] = useState(false);
  const short = clip(text);
  const clipped = short.length < text.length;
  return (
    <>
      <pre className="max-h-96 overflow-y-auto font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap">
        <VisibleText text={whole ? text : short} />
        {clipped && !whole && '…'}
      </pre>
      {clipped && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-1 -ml-2 rounded-md px-2 py-1 text-xs font-medium text-accent-text hover:bg-hover"
        >
          {whole ? t('showLess') : `${t('showAll')} (${text.length.toLocaleString()})`}
        </button>
      )}
    </>
  );
}

function clip(text: string): string {
  return text.slice(0, mostLength).split('\n').slice(0, mostLines).join('\n');
}
