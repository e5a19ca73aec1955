import { markedText } from '#shared/text/visible-text.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import { markedLine } from './terminal-text.ts';
import type { Terminal } from './terminal.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** A person's word on a call, and how long it counts. */
type Approval = Pick<Decision, 'decision' | 'scope'>;

/** The letters and the words they stand for; anything else is no yes, whatever it begins with. */
const answers = new Map<string, Approval['scope']>([
  ['y', 'once'],
  ['yes', 'once'],
  ['t', 'topic'],
  ['topic', 'topic'],
  ['g', 'arguments'],
  ['arguments', 'arguments'],
  ['h', 'host'],
  ['host', 'host'],
  ['a', 'always'],
  ['always', 'always'],
]);

/** Asks the person at the terminal; without one the call is denied. `why` is the rule that asks. */
export async function askApproval(
  terminal: Terminal,
  call: Pick<ToolBlock, 'serverName' | 'toolName' | 'arguments' | 'approval'>,
  why: string,
): Promise<Approval> {
  const host = call.approval?.host;
  const name = `${markedLine(call.serverName)} · ${markedLine(call.toolName)}`;
  const what = `${name}\n${markedText(JSON.stringify(call.arguments, null, 2))}`;
  if (!terminal.interactive) {
    terminal.write(
      `${tell(say('cli-denied')`Denied, because this isn't an interactive terminal. Use --yes to approve: ${what}`)}\n`,
    );
    return { decision: 'deny', scope: 'once' };
  }
  const answer = await terminal.dialogue(async (dialogue) => {
    dialogue.write(`\n${tell(say('cli-may-run')`Allow this call? (${markedLine(why)})`)}\n`);
    if (!(await dialogue.show(what))) return undefined;
    const forHost = host ? say('cli-for-host')` for [h]ost ${markedLine(host)},` : '';
    return dialogue.decision(
      tell(
        say(
          'cli-choices',
        )`[y]es, for this cha[t], for these ar[g]uments,${forHost} [a]lways, [N]o: `,
      ),
    );
  });
  const scope = answers.get(answer?.trim().toLowerCase() ?? '');
  return scope && (scope !== 'host' || host)
    ? { decision: 'approve', scope }
    : { decision: 'deny', scope: 'once' };
}
