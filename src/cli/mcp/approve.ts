import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { isYes, openTerminal } from '../terminal/terminal.ts';
import { sandboxWarning } from './diagnosis-page.ts';
import { describeLaunch } from './describe-server.ts';
import { readOptions } from './options.ts';
import { padded, printJson, printLine, stateWords } from './print.ts';
import { withServer } from './with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp approve NAME`: shows the exact command and lets it run after a yes. */
export async function approve(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'approve NAME [--yes] [--json]',
    words: [1, 1],
    options: {
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    const { sandbox } = await client.servers.diagnosis(server.id);
    if (!(await isApproved(io, server, { yes: values.yes, sandbox }))) return 1;
    const approved = await client.servers.approve(server.id, server.launchHash);
    if (values.json) printJson(io, approved);
    else
      printLine(
        io,
        tell(
          say(
            'cli-approved',
          )`Approved. State of ${terminalLine(server.name)}: ${stateWords(approved.state)}`,
        ),
      );
    return 0;
  });
}

async function isApproved(
  io: Io,
  server: ServerView,
  { yes, sandbox }: { yes: boolean; sandbox: DiagnosisView['sandbox'] },
): Promise<boolean> {
  const terminal = openTerminal(io);
  const facts = describeLaunch(server).map(
    ([label, text]) => `  ${padded(tell(label), 9)} ${markedLine(tell(text))}`,
  );
  const warning = sandboxWarning(sandbox);
  const what = [
    tell(say('cli-would-run')`${markedLine(server.name)} will run with your permissions:`),
    ...facts,
    ...(warning ? [markedLine(tell(warning))] : []),
  ].join('\n');
  if (yes || !terminal.interactive) terminal.write(`${what}\n`);
  if (yes) return true;
  if (!terminal.interactive) {
    terminal.write(
      `${tell(say('cli-not-approved')`Not approved, because this isn't an interactive terminal. Use --yes to approve.`)}\n`,
    );
    return false;
  }
  const answer = await terminal.dialogue(async (dialogue) => {
    if (!(await dialogue.show(what))) return undefined;
    return dialogue.decision(
      tell(say('cli-approve-command')`Allow this exact command to run? [y]es, [N]o: `),
    );
  });
  return isYes(answer);
}
