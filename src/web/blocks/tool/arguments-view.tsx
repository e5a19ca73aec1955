import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Json, JsonObject } from '#shared/json.ts';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

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
      <div className="mb-1.5 flex items-center gap-1">
        <p className="mr-auto text-xs font-medium text-muted">{t('arguments')}</p>
        <button
          type="button"
          onClick={() => setAsJson(!asJson)}
          className="rounded-md px-2 py-1 text-xs text-muted hover:bg-hover hover:text-ink"
        >
          {asJson ? t('asTable') : t('asJson')}
        </button>
        <CopyButton text={json} />
      </div>
      {asJson || (empty && props.written) ? (
        <ClippedText text={json} />
      ) : empty ? (
        <p className="text-sm text-muted">{t('noArguments')}</p>
      ) : (
        <ArgumentList entries={entries} />
      )}
    </section>
  );
}

function ArgumentList({ entries }: { entries: [string, Json][] }) {
  return (
    <dl className="space-y-1.5 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="shrink-0 font-mono text-[0.8125rem] leading-relaxed break-all text-muted sm:w-32">
            {name}
          </dt>
          <dd className="min-w-0 flex-1">
            <ClippedText bare text={typeof value === 'string' ? value : JSON.stringify(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
