import type { ReactElement, ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { notEnforced } from '#shared/api/access-words.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { toWords } from '#shared/errors/sentence.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useStateLabel } from '../../../ui/layout/state-dot.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { useSentence } from '../../../ui/notices/use-sentence.ts';
import { useDuration } from '../../../ui/text/duration.ts';
import { useAccessWords } from '../launch/access-note.tsx';

/** Why a server works or does not: everything the host knows of it, and what to do next. */
export function Diagnosis({ server }: { server: ServerView }): ReactElement {
  const common = useTranslations('common');
  const sentence = useSentence();
  const key = `${server.id} ${server.state} ${server.reason ?? ''}`;
  const { value, error } = useLoaded((signal) => api.servers.diagnosis(server.id, signal), key);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  return (
    <div className="space-y-3 text-sm" data-testid="diagnosis">
      <p className="font-medium break-words">{sentence(value.hint, value.hintSaid)}</p>
      <Facts diagnosis={value} />
      <Lists diagnosis={value} />
    </div>
  );
}

function Facts({ diagnosis }: { diagnosis: DiagnosisView }) {
  const rows = useFacts(diagnosis);
  return (
    <dl className="space-y-1.5 rounded-lg bg-sunken px-3.5 py-3">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="sm:flex sm:gap-3">
              <dt className="shrink-0 text-muted sm:w-28">{name}</dt>
              <dd className="min-w-0 break-words [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Fact = [name: string, value: string | number | undefined];

function useFacts(diagnosis: DiagnosisView): Fact[] {
  const t = useTranslations('diagnosis');
  const stateLabel = useStateLabel();
  const time = useTime();
  const sentence = useSentence();
  const { state, reason, reasonSaid, transport, era, protocolVersion, serverInfo, auth } =
    diagnosis;
  const { used, configured } = transport;
  const accessRows = useAccessRows(diagnosis);
  const pingText = usePingText(diagnosis.ping);
  const toolsText = useToolsText(diagnosis.tools);
  return [
    [t('state'), stateLabel(state)],
    [t('since'), time(diagnosis.since)],
    [t('reason'), reason && sentence(reason, reasonSaid)],
    [t('retry'), diagnosis.retryAt && time(diagnosis.retryAt)],
    [t('response'), pingText],
    [t('tools'), toolsText],
    [t('transport'), used ? t('transportUsed', { configured, used }) : configured],
    [t('protocol'), protocolVersion && `${protocolVersion} · ${t(era ?? 'legacy')}`],
    [t('server'), serverInfo && `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`],
    [t('offers'), diagnosis.capabilities && Object.keys(diagnosis.capabilities).join(', ')],
    [t('signIn'), [t(`auth-${auth.state}`), auth.issuer, auth.scope].filter(Boolean).join(' · ')],
    ...accessRows,
    [t('late'), diagnosis.lateAnswers > 0 ? String(diagnosis.lateAnswers) : undefined],
  ];
}

function usePingText(ping: DiagnosisView['ping']): string | undefined {
  const duration = useDuration();
  const sentence = useSentence();
  return ping && ('ms' in ping ? duration(ping.ms) : sentence(ping.error, ping.errorSaid));
}

/** How many there are, and those that cannot be used as they are. */
function useToolsText(tools: DiagnosisView['tools']): string | undefined {
  const t = useTranslations('diagnosis');
  if (!tools) return undefined;
  const { count, cut, blocked, changed } = tools;
  const unusable = tools.unusable.map(({ name }) => name);
  const facts = [
    cut ? t('toolsCut', { count }) : String(count),
    blocked.length > 0 && t('toolsBlocked', { names: blocked.join(', ') }),
    changed.length > 0 && t('toolsChanged', { names: changed.join(', ') }),
    unusable.length > 0 && t('toolsUnusable', { names: unusable.join(', ') }),
  ];
  return facts.filter(Boolean).join(' · ');
}

/** What a local server may reach, and whether anything keeps it to that. */
function useAccessRows({ access, sandbox }: DiagnosisView): [name: string, value: string][] {
  const t = useTranslations('access');
  const words = useAccessWords();
  const sentence = useSentence();
  if (!access) return [];
  const { files, network } = words(access);
  const reason = sandbox?.reason && toWords(sandbox.reason, sandbox.reasonSaid);
  const warning = notEnforced(sandbox && { works: sandbox.works, reason });
  return [
    [t('files'), files.join(', ')],
    [t('network'), network],
    [t('sandbox'), warning ? sentence(warning.text, warning) : t('enforced')],
  ];
}

function Lists({ diagnosis }: { diagnosis: DiagnosisView }) {
  const t = useTranslations('diagnosis');
  const time = useTime();
  const duration = useDuration();
  const sentence = useSentence();
  const { probes, cacheAges, errors, processes } = diagnosis;
  return (
    <>
      <Section
        title={t('errors')}
        lines={errors.map(
          ({ at, message, messageSaid }) => `${time(at)}  ${sentence(message, messageSaid)}`,
        )}
      />
      <Section
        title={t('probes')}
        lines={probes.map(({ text, textSaid }) => sentence(text, textSaid))}
      />
      <Section
        title={t('kept')}
        lines={Object.entries(cacheAges).map(([list, age]) => `${list}  ${duration(age)}`)}
      />
      <Section
        title={t('processes')}
        lines={processes.map(({ pid, state, rssKb, command }) =>
          [pid, state, rssKb && `${Math.round(rssKb / 1024)} MiB`, command]
            .filter(Boolean)
            .join('  '),
        )}
      />
    </>
  );
}

/** Gives a moment as a time of day. */
function useTime(): (at: number) => string {
  const format = useFormatter();
  return (at) => format.dateTime(at, { timeStyle: 'medium' });
}

/** Lines as the host gave them, each on its own; nothing if there are none. */
function Section({ title, lines }: { title: string; lines: string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
      <ol className="json max-h-60 space-y-1 overflow-y-auto" tabIndex={0}>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines may repeat, their place is their identity
          <li key={index}>{line}</li>
        ))}
      </ol>
    </section>
  );
}
