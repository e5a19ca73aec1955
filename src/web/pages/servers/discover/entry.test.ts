import { describe, expect, it } from 'vitest';
import { handPicked } from '#shared/import/hand-picked.ts';
import { readImport } from '#shared/import/read-import.ts';
import { registryServerSchema } from '#shared/import/registry-server.ts';
import { entryOf, findEntries, waysOf } from './entry.ts';

const read = (given: object) => entryOf(registryServerSchema.parse(given));
const npm = { registryType: 'npm', identifier: 'a-server', version: '1.0.0' };
const key = { name: 'API_KEY', isSecret: true, isRequired: true };

describe('an entry of a registry', () => {
  it('has a publisher, a title and each kind once', () => {
    const entry = read({
      name: 'io.github.ann/tool',
      packages: [npm, npm, { registryType: 'oci', identifier: 'ann/tool' }],
      remotes: [{ type: 'streamable-http', url: 'https://example.com/mcp' }],
    });
    expect(entry).toMatchObject({ publisher: 'io.github.ann', title: 'tool' });
    expect(entry.kinds).toEqual(['npm', 'container', 'remote']);
  });

  it('needs a key only where no way to run it goes without one', () => {
    const keyed = { ...npm, environmentVariables: [key] };
    expect(read({ name: 'a', packages: [keyed] }).needsKey).toBe(true);
    expect(read({ name: 'a', packages: [keyed, npm] }).needsKey).toBe(false);
    const optional = { ...npm, environmentVariables: [{ ...key, isRequired: false }] };
    expect(read({ name: 'a', packages: [optional] }).needsKey).toBe(false);
    const inHeader = {
      type: 'sse',
      url: 'https://example.com',
      headers: [{ name: 'Authorization', value: 'Bearer {key}', variables: { key } }],
    };
    expect(read({ name: 'a', remotes: [inHeader] }).needsKey).toBe(true);
  });

  it('is found by all words, first by its title', () => {
    const entries = [
      read({ name: 'x/b', description: 'Queries Postgres', packages: [npm] }),
      read({ name: 'x/postgres', title: 'Postgres', packages: [npm] }),
      read({ name: 'x/c', description: 'Mail', packages: [npm] }),
    ];
    expect(findEntries(entries, 'postgres').map(({ id }) => id)).toEqual(['x/postgres', 'x/b']);
    expect(findEntries(entries, 'postgres mail')).toEqual([]);
    expect(findEntries(entries, '')).toHaveLength(3);
  });
});

describe('the hand-picked servers', () => {
  it('need no key, are pinned, and each way of each can be imported alone', () => {
    for (const server of handPicked) {
      const entry = entryOf(registryServerSchema.parse(server));
      expect(entry.needsKey, entry.id).toBe(false);
      for (const { text } of waysOf(entry)) {
        const { entries } = readImport(text);
        expect(entries, entry.id).toHaveLength(1);
        expect(JSON.stringify(entries[0]?.fields)).toContain(`@${entry.version}`);
      }
    }
  });
});
