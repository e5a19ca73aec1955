import type { DiagnosisView } from '#shared/api/server-api.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { bold, colouredState, dim, printLine, span } from './print.ts';

/** A diagnosis as a page to read. */
export function showDiagnosis(io: Io, diagnosis: DiagnosisView): void {
  const { name, state, since } = diagnosis;
  printLine(
    io,
    `${bold(io, terminalLine(name))}  ${colouredState(io, state)}  ${dim(io, `for ${span(Date.now() - since)}`)}`,
  );
  for (const [label, text] of facts(diagnosis))
    printLine(io, `  ${dim(io, label.padEnd(10))} ${terminalLine(text)}`);
  for (const [title, lines] of sections(diagnosis)) {
    if (lines.length === 0) continue;
    printLine(io, `\n${title}`);
    for (const line of lines) printLine(io, `  ${terminalLine(line)}`);
  }
  printLine(io, `\n${bold(io, 'What to do:')} ${terminalLine(diagnosis.hint)}`);
}

function facts(diagnosis: DiagnosisView): [label: string, text: string][] {
  const { reason, retryAt, transport, era, protocolVersion, serverInfo, capabilities } = diagnosis;
  const { auth, lateAnswers } = diagnosis;
  const used = transport.used ? `, but it answers over ${transport.used}` : '';
  const { state, issuer, scope } = auth;
  const known: [string, string | undefined][] = [
    ['reason', reason],
    ['retried in', retryAt === undefined ? undefined : span(retryAt - Date.now())],
    ['transport', `${transport.configured}${used}`],
    ['protocol', protocolVersion && `${protocolVersion} (${era})`],
    ['server', serverInfo && `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`],
    ['offers', capabilities && (Object.keys(capabilities).join(', ') || 'nothing')],
    ['sign-in', [state.replace('-', ' '), issuer, scope].filter(Boolean).join(', ')],
    ['unasked', unaskedText(diagnosis.unasked)],
    ['late', lateAnswers > 0 ? `${lateAnswers} answers came after we had given up` : undefined],
  ];
  return known.flatMap(([label, text]) => (text ? [[label, text]] : []));
}

/** What the server may do without anybody being asked. */
function unaskedText({
  autoApprove,
  trusted,
  safeToRepeat,
  rules,
}: DiagnosisView['unasked']): string {
  const parts = [
    autoApprove.includes('*')
      ? 'every tool runs (autoApprove)'
      : autoApprove.length > 0 && `runs ${autoApprove.join(', ')} (autoApprove)`,
    trusted && 'its tool labels are trusted: read-only tools run',
    rules.length > 0 && `${rules.length} of your rules allow calls (see Settings → Approvals)`,
    safeToRepeat.length > 0 && `retried after an interruption: ${safeToRepeat.join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ') || 'nothing: every call asks first';
}

function sections(diagnosis: DiagnosisView): [title: string, lines: string[]][] {
  const { probes, cacheAges, errors, processes } = diagnosis;
  return [
    ['What was asked, and what came of it', probes.map(({ text }) => text)],
    ['What is kept', Object.entries(cacheAges).map(([list, age]) => `${list}, ${span(age)} old`)],
    [
      'Last errors',
      errors.map(({ at, message }) => `${new Date(at).toLocaleTimeString('en-GB')}  ${message}`),
    ],
    [
      'Processes',
      processes.map(({ pid, state, rssKb, command }) => {
        const memory = rssKb === undefined ? '' : ` ${Math.round(rssKb / 1024)} MiB`;
        return `${pid} ${state}${memory} ${command}`;
      }),
    ],
  ];
}
