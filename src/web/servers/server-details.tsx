import { Tabs } from '@base-ui/react/tabs';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api.ts';
import type { ToolAnnotations } from '#shared/tool.ts';
import { serversApi } from '../api/servers-api.ts';
import { ClippedText } from '../ui/clipped-text.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { ChangedTool } from './changed-tool.tsx';
import { Diagnosis } from './diagnosis.tsx';
import { LaunchFacts } from './launch-facts.tsx';
import { logLine } from './log-line.ts';
import { useLoaded } from './use-loaded.ts';

const tabLook =
  'rounded-md px-2.5 py-1.5 text-sm text-muted hover:text-ink data-[active]:bg-hover data-[active]:text-ink';

/** A part of a server's details. */
export type DetailsTab = 'tools' | 'logs' | 'launch' | 'why';

interface ServerDetailsProps {
  server: ServerView;
  tab: DetailsTab;
  onTab: (tab: DetailsTab) => void;
}

/** A server's tools, its log, how it is reached, and why it works or does not. */
export function ServerDetails({ server, tab, onTab }: ServerDetailsProps): ReactElement {
  const t = useTranslations('servers');
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => onTab(next as DetailsTab)}
      className="px-3.5 py-3"
    >
      <Tabs.List className="mb-3 flex flex-wrap gap-1">
        <Tabs.Tab value="tools" className={tabLook}>
          {t('tools')}
        </Tabs.Tab>
        {!server.readOnly && (
          <>
            {' '}
            <Tabs.Tab value="logs" className={tabLook}>
              {t('logs')}
            </Tabs.Tab>
            <Tabs.Tab value="launch" className={tabLook}>
              {server.type === 'stdio' ? t('command') : t('address')}
            </Tabs.Tab>
            <Tabs.Tab value="why" className={tabLook}>
              {t('why')}
            </Tabs.Tab>
          </>
        )}
      </Tabs.List>
      <Tabs.Panel value="tools">
        {server.state === 'connected' ? (
          <Tools serverId={server.id} />
        ) : (
          <p className="text-sm text-muted">{t('connectForTools')}</p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="logs">
        <Logs key={server.state} serverId={server.id} />
      </Tabs.Panel>
      <Tabs.Panel value="launch">
        <LaunchFacts server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="why">
        <Diagnosis server={server} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function Tools({ serverId }: { serverId: string }) {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const { value, error } = useLoaded((signal) => serversApi.tools(serverId, signal), serverId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  if (value.tools.length === 0) return <p className="text-sm text-muted">{t('noTools')}</p>;
  return (
    <ul className="divide-y divide-line">
      {value.tools.map((tool) => (
        <li key={tool.name} className="py-2.5 first:pt-0 last:pb-0">
          <Tool serverId={serverId} tool={tool} />
        </li>
      ))}
    </ul>
  );
}

function Tool({ serverId, tool }: { serverId: string; tool: ToolView }) {
  const t = useTranslations('servers');
  const hints = (tool.annotations ?? {}) as ToolAnnotations;
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono text-[0.8125rem] font-medium">{tool.name}</span>
        {tool.title && <span className="text-muted">{tool.title}</span>}
        {hints.readOnlyHint && <span className="text-xs text-ok">{t('readOnly')}</span>}
        {hints.destructiveHint && !hints.readOnlyHint && (
          <span className="text-xs text-danger">{t('destructive')}</span>
        )}
      </p>
      {tool.description && (
        <p className="mt-0.5 line-clamp-6 whitespace-pre-wrap text-muted">{tool.description}</p>
      )}
      <ChangedTool serverId={serverId} tool={tool} />
      <LeftOut tool={tool} />
      <Disclosure summary={t('schema')}>
        {() => <ClippedText text={JSON.stringify(tool.inputSchema, null, 2)} />}
      </Disclosure>
    </div>
  );
}

const leftOutBy = {
  openai: 'leftOutOpenai',
  anthropic: 'leftOutAnthropic',
  google: 'leftOutGoogle',
} as const;

/** To which models a tool is not offered, and why: once where it is the same for all of them. */
function LeftOut({ tool: { leftOut } }: { tool: ToolView }) {
  const t = useTranslations('servers');
  const first = leftOut?.[0];
  if (!leftOut || !first) return null;
  const isForAll =
    leftOut.length === Object.keys(leftOutBy).length &&
    leftOut.every(({ reason }) => reason === first.reason);
  return (
    <ul className="mt-1 space-y-0.5 text-xs break-words text-warn" data-testid="left-out">
      {isForAll ? (
        <li>{t('leftOutAll', { reason: first.reason })}</li>
      ) : (
        leftOut.map(({ dialect, reason }) => (
          <li key={dialect}>{t(leftOutBy[dialect], { reason })}</li>
        ))
      )}
    </ul>
  );
}

function Logs({ serverId }: { serverId: string }) {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const { value, error } = useLoaded((signal) => serversApi.logs(serverId, signal), serverId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  if (value.lines.length === 0) return <p className="text-sm text-muted">{t('noLogs')}</p>;
  return (
    <pre tabIndex={0} className="json max-h-80 overflow-y-auto">
      {value.lines.map(logLine).join('\n')}
    </pre>
  );
}
