import { Braces, Pause, Play } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type HostLogLevel,
  hostLogLevels,
  type HostLogLine,
  type HostLogView,
} from '#shared/telemetry/log-api.ts';
import { api } from '../../state/session/api.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { FilterBox } from '../../ui/controls/filter-box.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { LogLines, LogRow, type LogTone } from '../../ui/text/log-lines.tsx';
import { useHostLog } from './use-host-log.ts';

const tones: Record<HostLogLevel, LogTone> = {
  debug: 'quiet',
  info: 'plain',
  warn: 'warning',
  error: 'error',
};

/** The log of the host as it is written, and how much is written. */
export function HostLog(): ReactElement {
  const t = useTranslations('hostLog');
  const settings = useTranslations('settings');
  const { log, error } = useHostLog();
  const [held, setHeld] = useState<HostLogView>();
  const [look, setLook] = useState<Look>({ least: 'debug', query: '', isWhole: false });
  const view = held ?? log;
  if (error) return <ErrorNote error={error} />;
  if (!log || !view) return <div data-testid="host-log" className="h-64" aria-busy />;
  const lines = view.lines.filter((line) => isWanted(line, look));
  return (
    <div data-testid="host-log" aria-busy={false} className="space-y-4">
      <LevelChoice log={log} />
      <div className="space-y-2">
        <div className="flex flex-wrap items-center gap-1.5">
          <LookTools look={look} onChange={setLook} />
          <IconButton
            label={held ? t('follow') : t('pause')}
            data-testid="pause-log"
            onClick={() => setHeld(held ? undefined : log)}
          >
            {held ? <Play /> : <Pause />}
          </IconButton>
          <CopyButton text={() => lines.map(textOf).join('\n')} />
        </div>
        {lines.length === 0 ? (
          <p className="text-sm text-muted">{log.lines.length === 0 ? t('none') : t('noMatch')}</p>
        ) : (
          <LogLines label={settings('hostLog')} follows={!held} className="max-h-[60vh]">
            {lines.map(({ n, at, level, message, fields }) => {
              const details = look.isWhole ? fields : undefined;
              const facts = { at, level, tone: tones[level], text: message, details };
              return <LogRow key={n} {...facts} />;
            })}
          </LogLines>
        )}
        <p className="text-xs text-muted">
          {t('instance', { host: log.instance.host, pid: String(log.instance.pid) })}
        </p>
      </div>
    </div>
  );
}

/** Which of the lines are shown, and how much of each. */
interface Look {
  least: HostLogLevel;
  query: string;
  isWhole: boolean;
}

function LookTools({ look, onChange }: { look: Look; onChange: (look: Look) => void }) {
  const t = useTranslations('hostLog');
  const { least, query, isWhole } = look;
  return (
    <>
      <FilterBox
        label={t('filter')}
        value={query}
        onWrite={(text) => onChange({ ...look, query: text })}
        className="min-w-0 flex-1 basis-full sm:basis-48"
      />
      <Select
        aria-label={t('show')}
        className="input w-auto min-w-0 max-sm:flex-1"
        options={hostLogLevels.map((level) => [level, t(`shown.${level}`)] as const)}
        value={least}
        onChoose={(level) => onChange({ ...look, least: level })}
      />
      <IconButton
        label={t('details')}
        aria-pressed={isWhole}
        className={isWhole ? 'bg-hover text-ink' : ''}
        data-testid="log-details"
        onClick={() => onChange({ ...look, isWhole: !isWhole })}
      >
        <Braces />
      </IconButton>
    </>
  );
}

/** Which lines are written at all; the level of the start comes back after an hour. */
function LevelChoice({ log: { level, usual, until } }: { log: HostLogView }) {
  const t = useTranslations('hostLog');
  const format = useFormatter();
  const nameOf = (name: string) => {
    const known = hostLogLevels.find((each) => each === name);
    return known ? t(`levels.${known}`) : name;
  };
  const options = [
    ['', t('usual', { level: nameOf(usual) })] as const,
    ...hostLogLevels.map((each) => [each, t(`levels.${each}`)] as const),
  ];
  const choose = (chosen: string) => {
    const wanted = hostLogLevels.find((each) => each === chosen) ?? null;
    api.settings.setLogLevel(wanted).catch(showFailure);
  };
  return (
    <label className="block">
      <span className="block text-sm font-medium">{t('write')}</span>
      <Select
        className="input mt-1 max-w-64"
        data-testid="log-level"
        options={options}
        value={until === undefined ? '' : level}
        onChoose={choose}
      />
      <span role="status" className="mt-1 block text-xs text-muted">
        {until === undefined
          ? t('hint')
          : t('until', {
              time: format.dateTime(until, { timeStyle: 'short' }),
              level: nameOf(usual),
            })}
      </span>
    </label>
  );
}

function isWanted(line: HostLogLine, { least, query }: Look): boolean {
  if (hostLogLevels.indexOf(line.level) < hostLogLevels.indexOf(least)) return false;
  return textOf(line).toLowerCase().includes(query.toLowerCase());
}

function textOf({ at, level, message, fields }: HostLogLine): string {
  return `${new Date(at).toISOString()} ${level} ${message}${fields ? ` ${fields}` : ''}`;
}
