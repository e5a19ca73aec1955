import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { askApproval } from './ask-approval.ts';
import { Terminal } from './terminal.ts';

const call = {
  serverName: 'fetch',
  toolName: 'fetch_text',
  arguments: { url: 'https://a.example/' },
};

async function answered(line: string, host?: string, interactive = true) {
  const keys = new PassThrough();
  const screen = new PassThrough().setEncoding('utf8');
  const terminal = new Terminal(keys, screen, interactive);
  keys.end(`${line}\n`);
  const asked = { ...call, approval: { rule: 'why', ...(host && { host }) } };
  const { decision, scope } = await askApproval(terminal, asked, 'why');
  return { said: [decision, scope], shown: stripVTControlCharacters(String(screen.read())) };
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

  it('offers the host where there is one, and only then', async () => {
    expect((await answered('y', 'a.example')).shown).toContain('[h]ost a.example');
    const without = await answered('h');
    expect(without.shown).not.toContain('[h]ost');
    expect(without.said).toEqual(['deny', 'once']);
  });

  it('is denied where nobody is there', async () => {
    expect((await answered('y', undefined, false)).said).toEqual(['deny', 'once']);
  });
});
