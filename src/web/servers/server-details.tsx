import { Tabs } from '@base-ui/react/tabs';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { ToolAnnotations } from '#shared/tool.ts';
import { serversApi } from '../api/endpoints.ts';
import { ClippedText } from '../ui/clipped-text.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { LaunchFacts } from './launch-facts.tsx';
import { logLine } from './log-line.ts';

const tabLook =
  'rounded-md px-2.5 py-1.5 text-sm text-muted hover:text-ink data-[active]:bg-hover data-[active]:text-ink';

/** A server's tools, its log and how it is reached. */
export function ServerDetails({ server }: { server: ServerView }): ReactElement {
  const t = useTranslations('servers');
  return (
    <Tabs.Root defaultValue="tools" className="px-3.5 py-3">
      <Tabs.List className="mb-3 flex gap-1">
        <Tabs.Tab value="tools" className={tabLook}>
          {t('tools')}
        </Tabs.Tab>
        <Tabs.Tab value="logs" className={tabLook}>
          {t('logs')}
        </Tabs.Tab>
        <Tabs.Tab value="launch" className={tabLook}>
          {server.type === 'stdio' ? t('command') : t('address')}
        </Tabs.Tab>
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
          <Tool tool={tool} />
        </li>
      ))}
    </ul>
  );
}

function Tool({ tool }: { tool: ToolView }) {
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
      <Disclosure summary={t('schema')}>
        {() => <ClippedText text={JSON.stringify(tool.inputSchema, null, 2)} />}
      </Disclosure>
    </div>
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

/** Loads something while it is shown. */
function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: string) {
  const [state, setState] = useState<{ value?: T; error?: ErrorInfo }>({});
  useEffect(() => {
    const left = new AbortController();
    load(left.signal).then(
      (value) => left.signal.aborted || setState({ value }),
      (error: unknown) => left.signal.aborted || setState({ error: toErrorInfo(error) }),
    );
    return () => left.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` says when there is something new
  }, [key]);
  return state;
}
