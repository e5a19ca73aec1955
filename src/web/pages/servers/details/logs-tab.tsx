import { Pause, Play } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { LogLines, LogRow } from '../../../ui/text/log-lines.tsx';
import { readLogLine } from './log-line.ts';
import { useLog } from './use-log.ts';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

/** The last lines of a server, followed while they are shown. */
export function LogsTab({ serverId }: { serverId: string }): ReactElement {
  const t = useTranslations('serverContents');
  const common = useTranslations('common');
  const servers = useTranslations('servers');
  const [paused, setPaused] = useState(false);
  const [query, setQuery] = useState('');
  const { lines, error } = useLog(serverId, paused);
  if (error) return <ErrorNote error={error} />;
  if (!lines) return <p className="text-sm text-muted">{common('loading')}</p>;
  const found = lines.filter((line) => line.toLowerCase().includes(query.toLowerCase()));
  return (
    <>
      <div className="mb-2 flex items-center gap-1.5">
        <FilterBox
          label={t('filterLog')}
          value={query}
          onWrite={setQuery}
          className="min-w-0 flex-1"
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
        <LogLines label={servers('logs')} follows={!paused} className="max-h-80">
          {found.map((line, index) => {
            const { level, source, ...read } = readLogLine(line);
            // oxlint-disable-next-line react/no-array-index-key -- lines may repeat, their place is their identity
            return <LogRow key={index} at={undefined} {...read} level={level ?? source} />;
          })}
        </LogLines>
      )}
    </>
  );
}
