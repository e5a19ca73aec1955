import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { displayLaunch } from '#shared/text/bundle-variables.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { fullAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { useAccessWords } from './access-note.tsx';
import { packageOf } from './package-of.ts';

interface LaunchFactsProps {
  /** Of a server, or of what would become one. */
  config: unknown;
  launchHash?: string;
}

/** What runs or is reached is shown as code, letter by letter. Prose is what the page says of it, and never a path. */
type Row = [
  name: string,
  value: string[] | string | undefined,
  isProse?: boolean,
  /** More than most need: it stands out. */
  isWide?: boolean,
];

/** A variable or header; its value where that decides what runs or refers to something. */
function named(sign: string): (entry: [string, string]) => string {
  return ([name, value]) => (value === hiddenSecret ? name : `${name}${sign}${value}`);
}

/** Exactly what is run or reached for a server. Values of secrets are not shown; their names are, and what they refer to. */
export function LaunchFacts({ config: given, launchHash }: LaunchFactsProps): ReactElement {
  const t = useTranslations('servers');
  const config = given as Partial<ServerConfig> & { type?: string };
  if (config.type === 'stdio') return <CommandFacts config={config} launchHash={launchHash} />;
  if (config.type === 'streamableHttp' || config.type === 'sse')
    return <AddressFacts config={config} />;
  return <p className="text-sm text-muted">{t('builtin')}</p>;
}

type ConfigOf<Type> = Partial<Extract<ServerConfig, { type: Type }>>;

interface CommandFactsProps {
  config: ConfigOf<'stdio'>;
  launchHash: string | undefined;
}

function CommandFacts({ config, launchHash }: CommandFactsProps) {
  const t = useTranslations('servers');
  const access = useTranslations('access');
  const { access: allowed = fullAccess } = config;
  const isWide = allowed.files === 'everything';
  const reach = useAccessWords()(allowed);
  const bundleRows = useBundleRows(config.bundle);
  const secretRows = useSecretRows(config.secrets);
  const launch = { command: '', args: [], env: {}, ...config };
  const { command, args, env, cwd } = displayLaunch(launch);
  const run = packageOf({ command, args });
  const rows: Row[] = [
    [t('command'), command],
    [t('args'), args],
    [t('env'), Object.entries(env).map(named('='))],
    ...secretRows,
    cwd === undefined ? [t('cwd'), access('ownFolder'), true] : [t('cwd'), cwd],
    ...rowOf(t('package'), run?.name),
    ...rowOf(t('registry'), config.registryUrl),
    [access('files'), reach.files, typeof config.access?.files !== 'object', isWide],
    [access('network'), reach.network, true, isWide && allowed.network],
    ...bundleRows,
    ...rowOf(t('hash'), launchHash),
  ];
  return (
    <>
      <Facts rows={rows} />
      {run && !run.fixed && <p className="mt-2 text-xs text-warn">{t('notFixed')}</p>}
    </>
  );
}

function AddressFacts({ config }: { config: ConfigOf<'streamableHttp' | 'sse'> }) {
  const t = useTranslations('servers');
  const { baseUrl, headers = {}, secrets } = config;
  const rows: Row[] = [
    [t('address'), baseUrl],
    [t('headers'), Object.entries(headers).map(named(': '))],
    ...useSecretRows(secrets),
  ];
  return <Facts rows={rows} />;
}

function useSecretRows(secrets: Record<string, string> = {}): Row[] {
  const t = useTranslations('servers');
  const names = Object.keys(secrets);
  return names.length > 0 ? [[t('secrets'), names]] : [];
}

function useBundleRows(bundle: ConfigOf<'stdio'>['bundle']): Row[] {
  const t = useTranslations('servers');
  if (!bundle) return [];
  return [
    [t('bundle'), `${bundle.name} ${bundle.version}`],
    [t('publisher'), t('unverified', { name: bundle.publisher })],
    ['SHA-256', bundle.hash],
  ];
}

/** No row where there is nothing to say. */
function rowOf(name: string, value: string | undefined): Row[] {
  return value ? [[name, value]] : [];
}

function Facts({ rows }: { rows: Row[] }) {
  return (
    <dl className="space-y-2 rounded-lg bg-sunken px-3.5 py-3 text-sm" data-testid="launch-facts">
      {rows.map(([name, value = [], isProse, isWide]) => (
        <div key={name} className="sm:flex sm:items-baseline sm:gap-3">
          <dt className="shrink-0 text-muted sm:w-40">{name}</dt>
          <dd
            className={`min-w-0 ${isWide ? 'font-medium text-warn' : ''} ${isProse ? 'break-words first-letter:uppercase' : 'font-mono text-[0.8125rem] wrap-anywhere'}`}
          >
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
  if (words.length === 0)
    return (
      <span className="inline-block font-sans text-sm text-muted first-letter:uppercase">
        {t('none')}
      </span>
    );
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
