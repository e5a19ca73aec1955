import { Download } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { dataExportPath } from '#client/api/data.ts';
import type { StorageView } from '#shared/api/data-api.ts';
import { api } from '../../../state/session/api.ts';
import { useSession } from '../../../state/session/session.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { formatBytes } from '#shared/text/bytes.ts';
import { DataDelete } from './data-delete.tsx';
import { DataImport } from './data-import.tsx';
import { DirectCalls } from './direct-calls.tsx';
import { RecordAnswers } from './record-answers.tsx';

/** Everything of a person: how much it is, out, in, and away. */
export function Data(): ReactElement {
  const t = useTranslations('data');
  const command = useSession(({ me }) => me?.ways.command ?? 'cerise');
  const [version, setVersion] = useState(0);
  const { value, error } = useLoaded(api.data.storage, String(version));
  const changed = () => setVersion((last) => last + 1);
  return (
    <div className="space-y-8" data-testid="data">
      {error && <ErrorNote error={error} />}
      <Storage storage={value} />
      <Part title={t('export')} text={t('exportText')}>
        <ExportLink />
      </Part>
      <Part title={t('import')} text={t('importText')}>
        <DataImport onImported={changed} />
      </Part>
      <Part title={t('backup')} text={t('backupText')}>
        <code className="block overflow-x-auto rounded-md bg-hover px-3 py-2 font-mono text-sm">
          {`${command} backup backup.cerise`}
        </code>
      </Part>
      <Part title={t('records')} text={t('recordsText')}>
        <RecordAnswers />
      </Part>
      <Part title={t('calls')} text={t('callsText')}>
        <DirectCalls />
      </Part>
      <Part title={t('delete')} text={t('deleteText')}>
        <DataDelete topics={value?.topics ?? 0} onDeleted={changed} />
      </Part>
    </div>
  );
}

function ExportLink() {
  const t = useTranslations('data');
  return (
    <a
      href={dataExportPath}
      download
      data-testid="export"
      className="button button-plain inline-flex items-center gap-2"
    >
      <Download aria-hidden className="size-4" />
      {t('exportAction')}
    </a>
  );
}

function Storage({ storage }: { storage: StorageView | undefined }) {
  const t = useTranslations('data');
  const format = useFormatter();
  const fact = (count: number | undefined, bytes?: number) =>
    count === undefined
      ? '…'
      : count === 0
        ? [t('noneYet')]
        : [format.number(count), bytes === undefined ? '' : formatBytes(bytes)];
  const facts: [string, number | undefined, (number | undefined)?][] = [
    [t('conversations'), storage?.topics],
    [t('messages'), storage?.messages],
    [t('files'), storage?.files, storage?.fileBytes],
  ];
  return (
    <div>
      <dl className="flex flex-wrap gap-3 *:grow *:basis-28" data-testid="storage">
        {facts.map(([label, count, bytes]) => {
          const [number, size] = fact(count, bytes);
          return (
            <div key={label} className="card px-3.5 py-3">
              <dt className="text-xs text-muted">{label}</dt>
              <dd className="mt-0.5 text-xl font-semibold tabular-nums">
                {number}
                {size && <span className="ml-2 text-xs font-normal text-muted">{size}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
      {storage && <Room storage={storage} />}
    </div>
  );
}

/** How much of what may be kept is. */
function Room({ storage }: { storage: StorageView }) {
  const t = useTranslations('data');
  const { conversationBytes, fileBytes, allowedBytes } = storage;
  const used = conversationBytes + fileBytes;
  const share = Math.min(100, (used / Math.max(1, allowedBytes)) * 100);
  const text = t('room', {
    used: formatBytes(used),
    allowed: formatBytes(allowedBytes),
    text: formatBytes(conversationBytes),
    files: formatBytes(fileBytes),
  });
  return (
    <div className="mt-3" data-testid="room">
      <div
        role="meter"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share)}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
      </div>
      <p className="mt-1 text-xs text-muted">{text}</p>
    </div>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="mt-1 mb-3 text-sm text-pretty text-muted">{text}</p>
      {children}
    </section>
  );
}
