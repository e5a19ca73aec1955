import { createInterface } from 'node:readline/promises';
import type { ToolBlock } from '#shared/block.ts';
import { terminalText } from './terminal-text.ts';

/** Asks the person at the terminal; without one the call is denied. */
export async function askApproval(
  block: ToolBlock,
): Promise<{ decision: 'approve' | 'deny'; scope: 'once' | 'topic' | 'always' }> {
  const what = terminalText(
    `${block.serverName} · ${block.toolName}\n${JSON.stringify(block.arguments, null, 2)}`,
  );
  const why = block.approval?.rule ?? '';
  if (!process.stdin.isTTY) {
    process.stderr.write(`Denied, since nobody is here to ask (use --yes): ${what}\n`);
    return { decision: 'deny', scope: 'once' };
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(`\nMay this run? (${why})\n${what}\n`);
    const answer = await terminal.question('[y]es, for this [t]opic, [a]lways, [N]o: ');
    const scope = { y: 'once', t: 'topic', a: 'always' }[answer.trim().toLowerCase()[0] ?? ''];
    if (!scope) return { decision: 'deny', scope: 'once' };
    return { decision: 'approve', scope: scope as 'once' | 'topic' | 'always' };
  } finally {
    terminal.close();
  }
}
