import { type ReactElement, useId, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Trust } from '#shared/api/untrusted-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { useOriginWords } from '../../../features/policy/use-origin-words.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DecideButton } from '../../../features/exact/decide-button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { TitledPart } from '../../../ui/layout/titled-part.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { firstSight } from '../../../ui/text/first-sight.ts';
import { ShowRest, UnseenNote } from '../../../ui/text/unseen.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { allKeys, untrustedRows, type UntrustedRow } from './untrusted-rows.ts';

const page = 20;
/** What is drawn of one of them before it is opened. */
const room = { lines: 6, characters: 600 };

/** What is kept from untrusted sources, by entity, file and server, each with the way to trust it. */
export function UntrustedContent(): ReactElement {
  const t = useTranslations('untrusted');
  const common = useTranslations('common');
  const [version, setVersion] = useState(0);
  const { value, error } = useLoaded(api.policy.untrusted, String(version));
  const { busy, failure, trust } = useTrust(() => setVersion((last) => last + 1));
  const rows = value ? untrustedRows(value) : [];
  const problem = error ?? failure;
  return (
    <TitledPart title={t('title')} hint={t('hint')}>
      {problem && <ErrorNote error={problem} />}
      {!value && !error && <p className="text-sm text-muted">{common('loading')}</p>}
      {value && rows.length === 0 && (
        <p
          data-testid="untrusted-none"
          className="rounded-xl border border-line px-3.5 py-3 text-sm text-muted"
        >
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
      await api.policy.trust(keys);
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
  const policy = useTranslations('policy');
  const [shown, setShown] = useState(page);
  if (rows.length === 0) return null;
  return (
    <>
      <h4 className="mt-4 mb-1.5 text-xs font-medium text-muted">{title}</h4>
      <ul className="divide-y divide-line rounded-xl border border-line">
        {rows.slice(0, shown).map((row) => (
          <UntrustedRowView key={row.id} row={row} busy={busy} onTrust={() => onTrust(row)} />
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

interface UntrustedRowProps {
  row: UntrustedRow;
  busy: boolean;
  onTrust: () => void;
}

/** One thing, with all that is known of its words: what has not been shown cannot be trusted. */
export function UntrustedRowView({ row, busy, onTrust }: UntrustedRowProps): ReactElement {
  const t = useTranslations('untrusted');
  const sources = useOriginWords();
  const [opened, setOpened] = useState(false);
  const noteId = useId();
  const first = useMemo(() => firstSight(row.lines, room), [row.lines]);
  const rest = opened ? undefined : first.rest;
  return (
    <li
      data-testid="untrusted-row"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5 text-sm"
    >
      <div className="min-w-0 flex-1 basis-60 break-words">
        <RowName row={row} />
        <Lines lines={rest ? first.texts : row.lines} all={row.lines} />
        {rest && <ShowRest rest={rest} onOpen={() => setOpened(true)} />}
        <p className="text-xs text-muted">
          <VisibleText text={sources(row.origins)} />
        </p>
        {rest && <UnseenNote id={noteId} rest={rest} />}
      </div>
      <DecideButton
        shown={row.id}
        disabled={busy || rest !== undefined}
        aria-describedby={rest && noteId}
        onDecide={onTrust}
      >
        {t('trust')}
      </DecideButton>
    </li>
  );
}

function Lines({ lines, all }: { lines: string[]; all: string[] }) {
  return lines.map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines of a row never move
    <p key={index} className="whitespace-pre-wrap">
      <VisibleText text={line} goesOn={line !== all[index]} />
    </p>
  ));
}

function RowName({ row }: { row: UntrustedRow }) {
  const t = useTranslations('untrusted');
  return (
    <p className="font-medium">
      <VisibleText text={row.name} />
      {row.parts.map((part) => (
        <span key={part} className="ml-2 text-xs font-normal text-muted">
          {part === 'content' ? t('fileContent') : t('fileName')}
        </span>
      ))}
    </p>
  );
}
