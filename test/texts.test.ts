import { describe, expect, it } from 'vitest';
import { addTexts, mayHaveTexts, type Texts } from '../scripts/english-texts.ts';
import { textsTable } from '../scripts/texts-table.ts';

function textsOf(files: Record<string, string>): Texts {
  const texts: Texts = new Map();
  for (const [path, code] of Object.entries(files))
    if (mayHaveTexts(path)) addTexts(texts, path, code);
  return texts;
}

const before = textsOf({
  'src/web/messages/en/chat.ts': `export const chat = { latest: 'To the newest', log: 'Log', kinds: { a: 'One ' + 'kind' } };`,
  'src/cli/main.ts':
    'throw new CeriseError(`x`, say("no")`a`, say(\'gone\')`There is no ${f({ a: 1 })} | ${b}.`);',
  'src/mcp/builtin/time.ts': `server.registerTool('now', { title: 'Time', description: 'Tells it.', inputSchema: z.object({ zone: z.string().describe('Zone').optional() }) }, run);`,
  'src/cli/main.test.ts': `say('only-tested')\`Nothing.\``,
});
const after = textsOf({
  'src/web/messages/en/chat.ts': `export const chat = { latest: 'Jump to latest', log: 'Log', kinds: { a: 'A kind' }, more: 'More' };`,
  'src/elsewhere/main.ts': "say('gone')`${f({ a: 1 })} doesn't exist.\nTry ${b}.`",
  'src/mcp/builtin/clock/time.ts': `server.registerTool('now', { title: 'Time', description: 'Returns it.', inputSchema: z.object({ zone }) }, run); const zone = z.string().describe('Time zone');`,
});

describe('the table of texts', () => {
  it('shows what changed, wherever it was moved, and counts the rest', () => {
    expect(textsTable(before, after).split('\n')).toEqual([
      '| id | before | after |',
      '|---|---|---|',
      '| builtin/now/description | Tells it. | Returns it. |',
      '| builtin/zone | Zone | Time zone |',
      String.raw`| gone | There is no {0} \| {1}. | {0} doesn't exist.<br>Try {1}. |`,
      '| page/chat.kinds.a | One kind | A kind |',
      '| page/chat.latest | To the newest | Jump to latest |',
      '',
      '5 changed, 1 added, 0 removed, 2 unchanged.',
      '',
    ]);
  });

  it('counts texts that are gone', () => {
    expect(textsTable(after, before)).toContain('5 changed, 0 added, 1 removed, 2 unchanged.');
  });
});
