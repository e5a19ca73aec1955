import type { ToolBlock } from '#shared/block.ts';
import type { Terminal } from './terminal.ts';
import { terminalText } from './terminal-text.ts';

/** A person's word on a call, and how long it counts. */
interface Approval {
  decision: 'approve' | 'deny';
  scope: 'once' | 'topic' | 'always';
}

/** Asks the person at the terminal; without one the call is denied. `why` is the rule that asks. */
export async function askApproval(
  terminal: Terminal,
  call: Pick<ToolBlock, 'serverName' | 'toolName' | 'arguments'>,
  why: string,
): Promise<Approval> {
  const what = terminalText(
    `${call.serverName} · ${call.toolName}\n${JSON.stringify(call.arguments, null, 2)}`,
  );
  if (!terminal.interactive) {
    terminal.write(`Denied, since nobody is here to ask (use --yes): ${what}\n`);
    return { decision: 'deny', scope: 'once' };
  }
  const answer = await terminal.dialogue((dialogue) => {
    dialogue.write(`\nMay this run? (${terminalText(why)})\n${what}\n`);
    return dialogue.question('[y]es, for this [t]opic, [a]lways, [N]o: ');
  });
  const letter = answer?.trim().toLowerCase()[0] ?? '';
  const scope = { y: 'once', t: 'topic', a: 'always' }[letter] as Approval['scope'] | undefined;
  return scope ? { decision: 'approve', scope } : { decision: 'deny', scope: 'once' };
}
