import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Trust } from '#shared/untrusted-api.ts';
import { policyApi } from '../api/policy-api.ts';
import { useLoaded } from '../servers/use-loaded.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import { TitledPart } from '../ui/titled-part.tsx';
import { useOriginWords } from '../ui/use-origin-words.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { allKeys, untrustedRows, type UntrustedRow } from './untrusted-rows.ts';

const page = 20;
const mostLines = 5;

/** What is kept from untrusted sources, by entity, file and server, each with the way to trust it. */
export function UntrustedContent(): ReactElement {
  const t = useTranslations('untrusted');
  const common = useTranslations('common');
  const [version, setVersion] = useState(0);
  const { value, error } = useLoaded(policyApi.untrusted, String(version));
  const { busy, failure, trust } = useTrust(() => setVersion((last) => last + 1));
  const rows = value ? untrustedRows(value) : [];
  const problem = error ?? failure;
  return (
    <TitledPart title={t('title')} hint={t('hint')}>
      {problem && <ErrorNote error={problem} />}
      {!value && !error && <p className="text-sm text-muted">{common('loading')}</p>}
      {value && rows.length === 0 && (
        <p data-testid="untrusted-none" className="text-sm text-muted">
          {t('none')}
        </p>
      )}
      {(['memory', 'files', 'servers'] as const).map((place) => (
        <Rows
          key={place}
          title={t(place)}
          rows={rows.filter((row) => row.place === place)}
          busy={busy}
          onTrust={(row) => void trust({ [row.place]: row.keys })}
        />
      ))}
      {value?.complete === false && <p className="mt-3 text-sm text-muted">{t('moreLeft')}</p>}
      {rows.length > 1 && (
        <TrustAll count={rows.length} busy={busy} onTrust={() => void trust(allKeys(rows))} />
      )}
    </TitledPart>
  );
}

interface TrustAllProps {
  count: number;
  busy: boolean;
  onTrust: () => void;
}

/** Trusting everything at once is one more thought than trusting one thing. */
function TrustAll({ count, busy, onTrust }: TrustAllProps) {
  const t = useTranslations('untrusted');
  const common = useTranslations('common');
  const [asks, setAsks] = useState(false);
  const close = () => setAsks(false);
  return (
    <>
      <Button
        className="mt-3"
        data-testid="trust-all"
        disabled={busy}
        onClick={() => setAsks(true)}
      >
        {t('trustAll', { count })}
      </Button>
      <Modal
        open={asks}
        onClose={close}
        title={t('trustAllTitle', { count })}
        description={t('trustAllText')}
      >
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{common('cancel')}</Button>
          <Button
            variant="primary"
            onClick={() => {
              onTrust();
              close();
            }}
          >
            {t('trust')}
          </Button>
        </div>
      </Modal>
    </>
  );
}

function useTrust(onTrusted: () => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorInfo>();
  const trust = async (keys: Partial<Trust>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await policyApi.trust(keys);
      onTrusted();
    } catch (error) {
      setFailure(toErrorInfo(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, trust };
}

interface RowsProps {
  title: string;
  rows: UntrustedRow[];
  busy: boolean;
  onTrust: (row: UntrustedRow) => void;
}

function Rows({ title, rows, busy, onTrust }: RowsProps) {
  const t = useTranslations('untrusted');
  const policy = useTranslations('policy');
  const sources = useOriginWords();
  const [shown, setShown] = useState(page);
  if (rows.length === 0) return null;
  return (
    <>
      <h4 className="mt-4 mb-1.5 text-xs font-medium text-muted">{title}</h4>
      <ul className="divide-y divide-line rounded-xl border border-line">
        {rows.slice(0, shown).map((row) => (
          <li
            key={row.id}
            data-testid="untrusted-row"
            className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5 text-sm"
          >
            <div className="min-w-0 flex-1 basis-60 break-words">
              <p className="font-medium">
                <VisibleText text={row.name} />
                {row.parts.map((part) => (
                  <span key={part} className="ml-2 text-xs font-normal text-muted">
                    {part === 'content' ? t('fileContent') : t('fileName')}
                  </span>
                ))}
              </p>
              {row.lines.slice(0, mostLines).map((line) => (
                <p key={line} className="line-clamp-3">
                  <VisibleText text={line} />
                </p>
              ))}
              {row.lines.length > mostLines && (
                <p className="text-xs text-muted">
                  {t('moreLines', { count: row.lines.length - mostLines })}
                </p>
              )}
              <p className="text-xs text-muted">
                <VisibleText text={sources(row.origins)} />
              </p>
            </div>
            <Button disabled={busy} onClick={() => onTrust(row)}>
              {t('trust')}
            </Button>
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <Button className="mt-2" onClick={() => setShown(shown + page)}>
          {policy('more')}
        </Button>
      )}
    </>
  );
}
