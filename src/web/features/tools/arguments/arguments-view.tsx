import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { ArgumentsHead } from '../../exact/arguments-head.tsx';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';

/** Values nested deeper than this are shown as JSON. */
const deepest = 3;

/** The exact arguments of a call, as names with values or as JSON. */
export function ArgumentsView(props: {
  value: JsonObject;
  /** What the model has written so far, while it writes. */
  written?: string;
}): ReactElement {
  const t = useTranslations('tool');
  const [asJson, setAsJson] = useState(false);
  const entries = Object.entries(props.value);
  const empty = entries.length === 0;
  const json = empty && props.written ? props.written : JSON.stringify(props.value, null, 2);
  return (
    <section>
      <ArgumentsHead json={empty ? undefined : json} asJson={asJson} onChange={setAsJson} />
      {asJson || (empty && props.written) ? (
        <ClippedText text={json} />
      ) : empty ? (
        <p className="text-sm text-muted">{t('noArguments')}</p>
      ) : (
        <div className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <Entries entries={entries} depth={0} />
        </div>
      )}
    </section>
  );
}

function Entries({ entries, depth }: { entries: [string, Json][]; depth: number }) {
  return (
    <dl className="space-y-1.5">
      {entries.map(([name, value]) => (
        <div key={name} className={isNested(value, depth) ? '' : 'sm:flex sm:gap-3'}>
          <dt className="shrink-0 font-mono text-[0.8125rem] leading-relaxed break-all text-muted sm:w-32">
            {name}
          </dt>
          <dd className="min-w-0 flex-1">
            <Value value={value} depth={depth} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, depth }: { value: Json; depth: number }) {
  if (isNested(value, depth)) {
    const entries: [string, Json][] = Array.isArray(value)
      ? value.map((item, index) => [String(index + 1), item])
      : Object.entries(value);
    return (
      <div className="mt-1 border-l border-line-strong pl-3">
        <Entries entries={entries} depth={depth + 1} />
      </div>
    );
  }
  return <ClippedText bare text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}

/** A list of plain values reads better in one line. */
function isNested(value: Json, depth: number): value is JsonObject | Json[] {
  if (depth >= deepest || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return isJsonObject(value) && Object.keys(value).length > 0;
}
