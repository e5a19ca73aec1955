import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerList } from '../../../state/catalog/server-lists.ts';
import { findCommands, findResources } from './suggestions.ts';

const server = (id: string): ServerView => ({
  id,
  name: `Server ${id}`,
  type: 'stdio',
  state: 'connected',
  since: 0,
  builtin: false,
  launchHash: '',
  config: {},
});
const list: ServerList = {
  state: 'ready',
  at: 0,
  prompts: [
    { name: 'review', title: 'Review code', arguments: [] },
    { name: 'help', arguments: [] },
  ],
  resources: [{ uri: 'demo://a/notes.md', name: 'Notes' }],
  templates: [{ uriTemplate: 'demo://{day}', name: 'Diary' }],
};

describe('what the composer suggests', () => {
  const ids = (query: string, isNew = false) =>
    findCommands(query, [server('a')], { a: list }, isNew).suggestions.map(({ id }) => id);

  it('are own commands before prompts, also of the same name', () => {
    expect(ids('help')).toEqual(['help', 'a-prompt-help']);
    expect(ids('')).toContain('compact');
    expect(ids('clear')).toEqual(['new']);
  });

  it('are found by name, title and server', () => {
    expect(ids('CODE')).toEqual(['a-prompt-review']);
    expect(ids('server')).toContain('a-prompt-review');
    expect(ids('nothing-like-it')).toEqual([]);
  });

  it('leave out what a new conversation has no use for', () => {
    expect(ids('', true)).not.toContain('new');
    expect(ids('', true)).not.toContain('compact');
  });

  it('are resources and templates, and nothing of a server that has not answered', () => {
    const found = findResources('', [server('a'), server('b')], { a: list });
    expect(found.suggestions.map(({ kind }) => kind)).toEqual(['template', 'resource']);
    expect(findResources('notes', [server('a')], { a: list }).suggestions).toHaveLength(1);
  });

  it('are the best of very many, each once, and say how many more there are', () => {
    const notes = Array.from({ length: 1000 }, (_, n) => ({
      uri: `x:${n}`,
      name: `A server ${n}`,
    }));
    const named = { uri: 'x:one', name: 'Server room' };
    const many = { ...list, templates: [], resources: [...notes, ...notes, named] };
    const { suggestions, leftOut } = findResources('server', [server('a')], { a: many });
    expect(suggestions.map(({ id }) => id).slice(0, 2)).toEqual([
      'a-resource-x:one',
      'a-resource-x:0',
    ]);
    expect([suggestions.length, leftOut]).toEqual([50, 951]);
  });
});
