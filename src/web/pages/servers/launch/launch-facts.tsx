import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { displayLaunch } from '#shared/text/bundle-variables.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { useAccessWords } from './access-note.tsx';
import { packageOf } from './package-of.ts';

interface LaunchFactsProps {
  /** Of a server, or of what would become one. */
  config: unknown;
  launchHash?: string;
}

type Row = [name: string, value: string[] | string | undefined];

/** A variable or header; its value where that decides what runs or refers to something. */
function named(sign: string): (entry: [string, string]) => string {
  return ([name, value]) => (value === hiddenSecret ? name : `${name}${sign}${value}`);
}

/** Exactly what is run or reached for a server. Values of secrets are not shown; their names are, and what they refer to. */
export function LaunchFacts({ config: given, launchHash }: LaunchFactsProps): ReactElement {
  const t = useTranslations('servers');
  const accessTexts = useTranslations('access');
  const words = useAccessWords();
  const config = given as Partial<ServerConfig> & { type?: string };
  const secretRows = (secrets: Record<string, string> = {}): Row[] =>
    Object.keys(secrets).length > 0 ? [[t('secrets'), Object.keys(secrets)]] : [];
  if (config.type === 'stdio') {
    const { secrets, registryUrl, bundle, access } = config;
    const { command, args, env, cwd } = displayLaunch({
      command: '',
      args: [],
      env: {},
      ...config,
    });
    const run = packageOf({ command, args });
    const reach = words(access);
    const rows: Row[] = [
      [t('command'), command],
      [t('args'), args],
      [t('env'), Object.entries(env).map(named('='))],
      ...secretRows(secrets),
      [t('cwd'), cwd ?? accessTexts('ownFolder')],
      ...(run ? [[t('package'), run.name] satisfies Row] : []),
      ...(registryUrl ? [[t('registry'), registryUrl] satisfies Row] : []),
      [accessTexts('files'), reach.files],
      [accessTexts('network'), reach.network],
      ...(bundle
        ? ([
            [t('bundle'), `${bundle.name} ${bundle.version}`],
            [t('publisher'), t('unverified', { name: bundle.publisher })],
            ['SHA-256', bundle.hash],
          ] satisfies Row[])
        : []),
      ...(launchHash ? [[t('hash'), launchHash] satisfies Row] : []),
    ];
    return (
      <>
        <Facts rows={rows} />
        {run && !run.fixed && <p className="mt-2 text-xs text-warn">{t('notFixed')}</p>}
      </>
    );
  }
  if (config.type === 'streamableHttp' || config.type === 'sse') {
    const { baseUrl, headers = {}, secrets } = config;
    return (
      <Facts
        rows={[
          [t('address'), baseUrl],
          [t('headers'), Object.entries(headers).map(named(': '))],
          ...secretRows(secrets),
        ]}
      />
    );
  }
  return <p className="text-sm text-muted">{t('builtin')}</p>;
}

function Facts({ rows }: { rows: Row[] }) {
  return (
    <dl className="space-y-2 rounded-lg bg-sunken px-3.5 py-3 text-sm" data-testid="launch-facts">
      {rows.map(([name, value = []]) => (
        <div key={name} className="sm:flex sm:gap-3">
          <dt className="shrink-0 text-muted sm:w-28">{name}</dt>
          <dd className="min-w-0 font-mono text-[0.8125rem] break-all">
            <Words words={typeof value === 'string' ? [value] : value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Each word on a line of its own, so that spaces inside one cannot hide another. */
function Words({ words }: { words: string[] }) {
  const t = useTranslations('servers');
  if (words.length === 0) return <span className="text-muted">{t('none')}</span>;
  return (
    <ol>
      {words.map((word, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- words may repeat, their place is their identity
        <li key={index} className="whitespace-pre-wrap">
          {word === '' ? '""' : <VisibleText text={word} />}
        </li>
      ))}
    </ol>
  );
}
