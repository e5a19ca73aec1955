import { notEnforced } from '#shared/api/access-words.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { describeAccess, type Fact } from './describe-server.ts';
import {
  bold,
  colouredState,
  dim,
  padded,
  printLine,
  reasonText,
  span,
} from '../printing/print.ts';
import { say, type Sentence, toWords, type Words } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** A diagnosis as a page to read. */
export function showDiagnosis(io: Io, diagnosis: DiagnosisView): void {
  const { name, state, since } = diagnosis;
  printLine(
    io,
    `${bold(io, terminalLine(name))}  ${colouredState(io, state)}  ${dim(io, tell(say('cli-for-time')`for ${span(Date.now() - since)}`))}`,
  );
  for (const [label, text] of facts(diagnosis))
    printLine(io, `  ${dim(io, padded(tell(label), 10))} ${terminalLine(tell(text))}`);
  for (const [title, lines] of sections(diagnosis)) {
    if (lines.length === 0) continue;
    printLine(io, `\n${tell(title)}`);
    for (const line of lines) printLine(io, `  ${terminalLine(tell(line))}`);
  }
  const label = state === 'connected' ? '' : bold(io, tell(say('cli-what-to-do')`Next step: `));
  const next = terminalLine(tell(toWords(diagnosis.hint, diagnosis.hintSaid)));
  printLine(io, `\n${label}${next}`);
}

function eraWords(version: string, era: DiagnosisView['era']): Words {
  return era === 'modern'
    ? say('cli-stateless')`${version} (stateless)`
    : say('cli-handshake')`${version} (with handshake)`;
}

const signInStates: Record<DiagnosisView['auth']['state'], Sentence> = {
  'not-needed': say('cli-sign-in-not-needed')`not required`,
  none: say('cli-sign-in-none')`not signed in`,
  'signed-in': say('cli-sign-in-done')`signed in`,
  expired: say('cli-sign-in-expired')`expired`,
};

function facts(diagnosis: DiagnosisView): Fact[] {
  const { retryAt, transport, era, protocolVersion, serverInfo, capabilities } = diagnosis;
  const { auth, lateAnswers } = diagnosis;
  const { configured, used } = transport;
  const { state, issuer, scope } = auth;
  const known: [Sentence, Words | undefined][] = [
    [say('cli-reason')`reason`, reasonText(diagnosis)],
    [say('cli-response')`response`, pingText(diagnosis.ping)],
    [say('cli-tools')`tools`, toolsText(diagnosis.tools)],
    [say('cli-retry-in')`retry in`, retryAt === undefined ? undefined : span(retryAt - Date.now())],
    [
      say('cli-transport')`transport`,
      used ? say('cli-transport-used')`${configured}, but it responds over ${used}` : configured,
    ],
    [say('cli-protocol')`protocol`, protocolVersion && eraWords(protocolVersion, era)],
    [
      say('cli-server')`server`,
      serverInfo && `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`,
    ],
    [
      say('cli-offers')`offers`,
      capabilities && (Object.keys(capabilities).join(', ') || say('cli-nothing')`none`),
    ],
    [
      say('cli-sign-in')`sign-in`,
      [tell(signInStates[state]), issuer, scope].filter(Boolean).join(', '),
    ],
    ...accessFacts(diagnosis),
    [say('cli-unasked')`approval`, unaskedText(diagnosis.unasked)],
    [
      say('cli-late')`late`,
      lateAnswers > 0
        ? say('cli-late-answers')`responses after the timeout: ${lateAnswers}`
        : undefined,
    ],
  ];
  return known.flatMap(([label, text]) => (text ? [[label, text]] : []));
}

function accessFacts({ access, sandbox }: DiagnosisView): [Sentence, Words | undefined][] {
  if (!access) return [];
  return [
    ...describeAccess(access),
    [say('cli-sandbox')`sandbox`, sandboxWarning(sandbox) ?? say('cli-sandbox-works')`enforced`],
  ];
}

/** What to know of a local server that the system does not keep to its access. */
export function sandboxWarning(sandbox: DiagnosisView['sandbox']): Sentence | undefined {
  const reason = sandbox?.reason && toWords(sandbox.reason, sandbox.reasonSaid);
  return notEnforced(sandbox && { works: sandbox.works, reason });
}

function pingText(ping: DiagnosisView['ping']): Words | undefined {
  if (!ping) return undefined;
  return 'ms' in ping ? say('cli-responds-in')`${ping.ms} ms` : toWords(ping.error, ping.errorSaid);
}

/** How many tools there are, and which of them cannot be used. */
function toolsText(tools: DiagnosisView['tools']): string | undefined {
  if (!tools) return undefined;
  const { count, cut, unusable, changed, blocked } = tools;
  const parts = [
    cut ? say('cli-tools-cut')`only the first ${count} are used` : String(count),
    blocked.length > 0 && say('cli-tools-blocked')`blocked: ${blocked.join(', ')}`,
    changed.length > 0 &&
      say('cli-tools-changed')`changed, waiting for approval: ${changed.join(', ')}`,
    unusable.length > 0 &&
      say('cli-tools-unusable')`unusable: ${unusable.map(({ name }) => name).join(', ')}`,
  ];
  return parts.flatMap((part) => (part ? tell(part) : [])).join('; ');
}

/** What the server can do without approval. */
function unaskedText({
  autoApprove,
  trusted,
  safeToRepeat,
  rules,
}: DiagnosisView['unasked']): string {
  const parts = [
    autoApprove.includes('*')
      ? say('cli-auto-all')`all tools run without approval (autoApprove)`
      : autoApprove.length > 0 &&
        say('cli-auto-some')`${autoApprove.join(', ')} run without approval (autoApprove)`,
    trusted &&
      say('cli-trusted')`its tool labels are trusted, so read-only tools run without approval`,
    rules.length > 0 &&
      say('cli-rules')`your rules allow calls (${rules.length}; see Settings → Tool permissions)`,
    safeToRepeat.length > 0 &&
      say('cli-retried')`retried after an interruption: ${safeToRepeat.join(', ')}`,
  ];
  const all = parts.flatMap((part) => (part ? tell(part) : []));
  return all.join('; ') || tell(say('cli-asks-first')`every call needs approval`);
}

function sections(diagnosis: DiagnosisView): [title: Sentence, lines: Words[]][] {
  const { probes, cacheAges, errors, processes } = diagnosis;
  return [
    [
      say('cli-probes')`Connection attempts`,
      probes.map(({ text, textSaid }) => toWords(text, textSaid)),
    ],
    [
      say('cli-cached')`Cached`,
      Object.entries(cacheAges).map(([list, age]) => say('cli-old')`${list}, ${span(age)} old`),
    ],
    [
      say('cli-last-errors')`Recent errors`,
      errors.map(({ at, message, messageSaid }) => {
        const time = new Date(at).toLocaleTimeString('en-GB');
        return `${time}  ${tell(toWords(message, messageSaid))}`;
      }),
    ],
    [
      say('cli-processes')`Processes`,
      processes.map(({ pid, state, rssKb, command }) => {
        const memory = rssKb === undefined ? '' : ` ${Math.round(rssKb / 1024)} MiB`;
        return `${pid} ${state}${memory} ${command}`;
      }),
    ],
  ];
}
