import { Pause, Play } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { type LogTone, readLogLine } from './log-line.ts';
import { useLog } from './use-log.ts';

const looks: Record<LogTone, string> = {
  quiet: 'text-muted',
  plain: '',
  warning: 'text-warn',
  error: 'text-danger',
};

/** The last lines of a server, followed while they are shown. */
export function LogsTab({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('serverContents');
  const common = useTranslations('common');
  const [paused, setPaused] = useState(false);
  const [query, setQuery] = useState('');
  const { lines, error } = useLog(serverId, paused);
  if (error) return <ErrorNote error={error} />;
  if (!lines) return <p className="text-sm text-muted">{common('loading')}</p>;
  const found = lines.filter((line) => line.toLowerCase().includes(query.toLowerCase()));
  return (
    <>
      <div className="mb-2 flex items-center gap-1.5">
        <input
          type="search"
          aria-label={t('filterLog')}
          placeholder={t('filterLog')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="input min-w-0 flex-1"
        />
        <IconButton
          label={paused ? t('follow') : t('pause')}
          data-testid="pause-log"
          onClick={() => setPaused(!paused)}
        >
          {paused ? <Play /> : <Pause />}
        </IconButton>
        <CopyButton text={() => found.join('\n')} />
      </div>
      {found.length === 0 ? (
        <p className="text-sm text-muted">{t('noLines')}</p>
      ) : (
        <Lines lines={found} follows={!paused} />
      )}
    </>
  );
}

function Lines({ lines, follows }: { lines: string[]; follows: boolean }) {
  const t = useTranslations('servers');
  const format = useFormatter();
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (follows && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return (
    <ol
      ref={box}
      tabIndex={0}
      aria-label={t('logs')}
      data-testid="log"
      className="json max-h-80 overflow-y-auto"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {lines.map((line, index) => {
        const { at, source, level, text, tone } = readLogLine(line);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- lines may repeat, their place is their identity
          <li key={index} className={`break-words whitespace-pre-wrap ${looks[tone]}`}>
            <span className="text-muted">
              {at !== undefined && `${format.dateTime(at, { timeStyle: 'medium' })} `}
              {level ?? source}
            </span>{' '}
            <VisibleText text={text} />
          </li>
        );
      })}
    </ol>
  );
}
