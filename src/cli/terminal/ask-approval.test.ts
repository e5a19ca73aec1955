import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { speakAs } from '../messages/tell.ts';
import { askApproval } from './ask-approval.ts';
import { Terminal } from './terminal.ts';

const call = {
  serverName: 'fetch',
  toolName: 'fetch_text',
  arguments: { url: 'https://a.example/' },
};

async function answered(
  line: string,
  host?: string,
  { interactive = true, reason }: { interactive?: boolean; reason?: 'may_change' } = {},
) {
  const keys = new PassThrough();
  const screen = new PassThrough().setEncoding('utf8');
  const terminal = new Terminal(keys, screen, interactive);
  keys.end(`${line}\n`);
  const asked = {
    ...call,
    approval: { rule: 'a rule', ...(host && { host }), ...(reason && { reason }) },
  };
  const { decision, scope, arguments: args } = await askApproval(terminal, asked);
  return { said: [decision, scope], args, shown: stripVTControlCharacters(String(screen.read())) };
}

describe('a call that asks in the terminal', () => {
  it.each([
    ['y', 'approve', 'once'],
    ['T', 'approve', 'topic'],
    ['g', 'approve', 'arguments'],
    ['h', 'approve', 'host'],
    ['always', 'approve', 'always'],
    ['n', 'deny', 'once'],
    ['', 'deny', 'once'],
    ['constructor', 'deny', 'once'],
  ])('takes %j as %s for %s', async (line, decision, scope) => {
    expect((await answered(line, 'a.example')).said).toEqual([decision, scope]);
  });

  it('stumble: asks again after a slip of the keys', async () => {
    const { said, shown } = await answered('yy\ny');
    expect(said).toEqual(['approve', 'once']);
    expect(shown).toContain('Enter one of the letters in brackets.');
    expect((await answered('yy\n\ny')).said).toEqual(['deny', 'once']);
  });

  it('offers the host where there is one, and only then', async () => {
    expect((await answered('y', 'a.example')).shown).toContain('[h]ost a.example');
    const without = await answered('h');
    expect(without.shown).not.toContain('[h]ost');
    expect(without.said).toEqual(['deny', 'once']);
  });

  it('runs with the arguments that a person put in their place, and shows what changed', async () => {
    const lines = ['e', 'no JSON', '{"url": "https://b.example/"}', 'y'];
    const { said, args, shown } = await answered(lines.join('\n'));
    expect(said).toEqual(['approve', 'once']);
    expect(args).toEqual({ url: 'https://b.example/' });
    expect(shown).toContain('must be a JSON object');
    expect(shown).toContain('-   "url": "https://a.example/"\n+   "url": "https://b.example/"');
    expect(await answered('e\n\ny')).toMatchObject({ said: ['approve', 'once'], args: undefined });
    expect((await answered('e\n{}\nn')).args).toBeUndefined();
  });

  it('says why it asks in the language of the terminal', async () => {
    expect((await answered('n')).shown).toContain('(a rule)');
    onTestFinished(() => speakAs({}));
    speakAs({ CERISE_LANG: 'zh' });
    const { shown } = await answered('n', undefined, { reason: 'may_change' });
    expect(shown).toContain('该工具可能会更改内容');
  });

  it('is denied where nobody is there', async () => {
    expect((await answered('y', undefined, { interactive: false })).said).toEqual(['deny', 'once']);
  });
});
