import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api.ts';
import type { ServerConfig } from '#shared/server.ts';

/** Exactly what is run or reached for a server. Values of secrets are not shown, their names are. */
export function LaunchFacts({ server }: { server: ServerView }): ReactElement {
  const t = useTranslations('servers');
  const config = server.config as Partial<ServerConfig> & { type?: string };
  const none = <span className="text-muted">{t('none')}</span>;
  if (config.type === 'stdio') {
    const names = Object.keys(config.env ?? {});
    return (
      <Facts
        rows={[
          [t('command'), config.command],
          [t('args'), config.args?.length ? <Words key="args" words={config.args} /> : none],
          [t('env'), names.length > 0 ? <Words key="env" words={names} /> : none],
          [t('cwd'), config.cwd ?? none],
          [t('hash'), server.launchHash],
        ]}
      />
    );
  }
  if (config.type === 'streamableHttp' || config.type === 'sse') {
    const names = Object.keys(config.headers ?? {});
    return (
      <Facts
        rows={[
          [t('address'), config.baseUrl],
          [t('headers'), names.length > 0 ? <Words key="headers" words={names} /> : none],
        ]}
      />
    );
  }
  return <p className="text-sm text-muted">{t('builtin')}</p>;
}

function Facts({ rows }: { rows: [string, ReactElement | string | undefined][] }) {
  return (
    <dl className="space-y-2 rounded-lg bg-sunken px-3.5 py-3 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="shrink-0 text-muted sm:w-28">{name}</dt>
          <dd className="min-w-0 font-mono text-[0.8125rem] break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each word on a line of its own, so that spaces inside one cannot hide another. */
function Words({ words }: { words: string[] }) {
  return (
    <ol>
      {words.map((word, index) => (
        // Words may repeat; their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="whitespace-pre-wrap">
          {word === '' ? '""' : word}
        </li>
      ))}
    </ol>
  );
}
