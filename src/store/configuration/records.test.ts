import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Assistant } from '#shared/vocabulary/message.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { createMemory } from '../calls/memory.ts';
import { deleteTopic, getTopic, insertTopic } from '../conversations/topics.ts';
import { insertAudit } from '../people/audit.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import {
  deleteAssistant,
  getAssistant,
  insertAssistant,
  listAssistants,
  updateAssistant,
} from './assistants.ts';
import {
  deleteProvider,
  insertProvider,
  listProvidersWithKeys,
  updateProvider,
} from './providers.ts';
import { createSecretBox } from './secrets.ts';
import {
  deleteServer,
  deleteServersOfAssistant,
  holdServer,
  insertServer,
  listServers,
  updateServer,
} from './servers.ts';

const box = createSecretBox(randomBytes(32));

const assistant: Assistant = {
  id: 'a',
  name: 'Tutor',
  systemPrompt: 'Explain.',
  model: 'demo/scripted',
  parameters: { temperature: 0 },
  mcp: { enabled: false, mode: 'auto', selectedServers: [] },
  createdAt: Date.now() + 3_600_000,
  updatedAt: 2,
};

describe('assistants', () => {
  describeEachDatabase((open) => {
    it('are kept for their owner, after the default one', async () => {
      const { db } = await open();
      await insertAssistant(db, 'local', assistant);
      expect((await listAssistants(db, 'local')).map(({ id }) => id)).toEqual(['default', 'a']);
      expect(await getAssistant(db, 'local', 'a')).toEqual(assistant);
      expect(await getAssistant(db, 'other', 'a')).toBeUndefined();
      expect(await updateAssistant(db, 'other', { ...assistant, name: 'X' })).toBe(false);
      const { model: _, ...bare } = { ...assistant, name: 'Y' };
      expect(await updateAssistant(db, 'local', bare)).toBe(true);
      expect(await getAssistant(db, 'local', 'a')).toEqual(bare);
    });

    it('leave their topics to the default assistant when they are deleted', async () => {
      const store = await open();
      await insertAssistant(store.db, 'local', assistant);
      await insertTopic(store.db, 'local', {
        id: 't',
        title: 'T',
        titled: false,
        assistantId: 'a',
        activeLeafId: null,
        isLoading: false,
        createdAt: 1,
        updatedAt: 1,
      });
      expect(await store.transaction((tx) => deleteAssistant(tx, 'other', 'a'))).toBe(false);
      expect((await getTopic(store.db, 'local', 't'))?.assistantId).toBe('a');
      expect(await store.transaction((tx) => deleteAssistant(tx, 'local', 'a'))).toBe(true);
      expect((await getTopic(store.db, 'local', 't'))?.assistantId).toBe('default');
    });
  });
});

describe('servers and providers', () => {
  describeEachDatabase((open) => {
    const stdio: ServerRecord = {
      id: 's1',
      owner: 'local',
      config: {
        type: 'stdio',
        name: 'Files',
        command: 'npx',
        args: ['-y', 'x'],
        env: { TOKEN: 'secret-env' },
      },
      approvedHash: 'h',
      createdAt: 1,
      updatedAt: 1,
    };
    const http: ServerRecord = {
      id: 's2',
      owner: 'local',
      config: {
        type: 'streamableHttp',
        name: 'Web',
        baseUrl: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer secret-header' },
        auth: {
          grant: 'enterprise',
          clientId: 'client',
          clientSecret: 'secret-client',
          privateKey: 'secret-key',
          idpTokenEndpoint: 'https://idp.example.com/token',
          idpClientId: 'client',
          idpClientSecret: 'secret-idp',
          idToken: 'secret-identity',
        },
      },
      createdAt: 2,
      updatedAt: 2,
    };

    it('never store a secret in the clear and give it back to their owner', async () => {
      const { db } = await open();
      await insertServer(db, box, stdio);
      await insertServer(db, box, http);
      const stored = JSON.stringify(await db.selectFrom('servers').selectAll().execute());
      expect(stored).not.toContain('secret-');
      expect(stored).toContain('TOKEN');
      expect(await listServers(db, box, 'local')).toEqual([stdio, http]);
      expect(await listServers(db, box, 'other')).toEqual([]);
    });

    it('stay attached to their topic or assistant, and end with it', async () => {
      const store = await open();
      const { db } = store;
      const topic = { id: 't', title: '', titled: false, assistantId: 'default' };
      await insertTopic(db, 'local', {
        ...topic,
        activeLeafId: null,
        isLoading: false,
        createdAt: 1,
        updatedAt: 1,
      });
      const inTopic: ServerRecord = { ...stdio, id: 's3', attachedTo: { topic: 't' } };
      const preset: ServerRecord = { ...http, id: 's4', attachedTo: { assistant: 'a' } };
      const theirs: ServerRecord = { ...preset, id: 's5', owner: 'other' };
      for (const server of [stdio, inTopic, preset, theirs]) await insertServer(db, box, server);
      expect(await listServers(db, box, 'local')).toEqual([stdio, inTopic, preset]);
      const changed = { ...inTopic, approvedHash: 'other', updatedAt: 9 };
      expect(await updateServer(db, box, changed)).toBe(true);
      expect(await listServers(db, box, 'local')).toContainEqual(changed);
      await store.transaction((tx) => deleteTopic(tx, 'local', 't'));
      expect(await listServers(db, box, 'local')).toEqual([stdio, preset]);
      await deleteServersOfAssistant(db, 'local', 'a');
      expect(await listServers(db, box, 'local')).toEqual([stdio]);
      expect(await listServers(db, box, 'other')).toEqual([theirs]);
    });

    it('cannot be attached to a topic that is not there', async () => {
      const { db } = await open();
      const server: ServerRecord = { ...stdio, attachedTo: { topic: 'nowhere' } };
      await expect(insertServer(db, box, server)).rejects.toThrow();
      expect(await listServers(db, box, 'local')).toEqual([]);
    });

    it('refuse to open a secret that was moved to another place', async () => {
      const { db } = await open();
      await insertServer(db, box, stdio);
      await db.updateTable('servers').set({ id: 'moved' }).execute();
      await expect(listServers(db, box, 'local')).rejects.toMatchObject({ code: 'wrong_key' });
    });

    it('are changed and removed by their owner only', async () => {
      const { db, dialect } = await open();
      await insertServer(db, box, stdio);
      const other = { owner: 'other', id: stdio.id };
      expect(await holdServer(db, dialect, box, other)).toBeUndefined();
      const { approvedHash: _, ...changed } = { ...stdio, updatedAt: 9 };
      expect(await updateServer(db, box, { ...changed, owner: 'other' })).toBe(false);
      expect(await updateServer(db, box, changed)).toBe(true);
      expect(await listServers(db, box, 'local')).toEqual([changed]);
      expect(await deleteServer(db, 'other', 's1')).toBe(false);
      expect(await deleteServer(db, 'local', 's1')).toBe(true);
    });

    it('keep a provider key sealed, replaceable and removable', async () => {
      const { db } = await open();
      const provider = {
        id: 'p',
        name: 'ACME',
        slug: 'acme',
        kind: 'openai-compatible',
        baseUrl: 'https://a.example/v1',
        models: ['m'],
        hasKey: true,
        shared: true,
        createdAt: 1,
      };
      await insertProvider(db, box, 'local', { ...provider, apiKey: 'sk-1' });
      const again = insertProvider(db, box, 'local', { ...provider, id: 'q' });
      await expect(again).rejects.toMatchObject({ code: 'conflict' });
      await insertProvider(db, box, 'other', { ...provider, id: 'r' });
      expect(await listProvidersWithKeys(db, box, 'local')).toEqual([
        { ...provider, apiKey: 'sk-1' },
      ]);
      expect(JSON.stringify(await db.selectFrom('providers').selectAll().execute())).not.toContain(
        'sk-1',
      );
      expect(await updateProvider(db, box, 'local', 'p', {})).toBe(true);
      expect((await listProvidersWithKeys(db, box, 'local'))[0]?.apiKey).toBe('sk-1');
      expect(await updateProvider(db, box, 'local', 'p', { apiKey: '', models: [] })).toBe(true);
      const moved = { kind: 'deepseek', baseUrl: '' };
      expect(await updateProvider(db, box, 'local', 'p', moved)).toBe(true);
      expect(await listProvidersWithKeys(db, box, 'local')).toEqual([
        { ...provider, ...moved, models: [], hasKey: false },
      ]);
      expect(await updateProvider(db, box, 'other', 'p', { apiKey: 'sk-2' })).toBe(false);
      expect(await deleteProvider(db, 'other', 'p')).toBe(false);
      expect(await deleteProvider(db, 'local', 'p')).toBe(true);
    });
  });
});

describe('the memory, sign-ins and the audit', () => {
  describeEachDatabase((open, fresh) => {
    it('loses no update of a memory that many change at once', async () => {
      const place = await fresh();
      const store = await open(place);
      const memory = createMemory(store, 'local');
      const names = Array.from({ length: 20 }, (_, at) => `e${at}`);
      await Promise.all(
        names.map((name) =>
          memory.update((graph) => ({
            ...graph,
            entities: [...graph.entities, { name, entityType: 'x\0', observations: [] }],
          })),
        ),
      );
      const { entities } = await memory.read();
      expect(entities.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      expect(entities[0]?.entityType).toBe('x\ufffd');
      expect(await createMemory(store, 'other').read()).toEqual({ entities: [], relations: [] });
    });

    it('leaves the memory as it was if a change throws', async () => {
      const memory = createMemory(await open(), 'local');
      const failed = memory.update(() => {
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await memory.read()).toEqual({ entities: [], relations: [] });
    });

    it('writes down what was done', async () => {
      const { db } = await open();
      await insertAudit(
        db,
        {
          owner: 'local',
          action: 'server.approve',
          subject: 's\0',
          details: { a: 1 },
        },
        5,
      );
      const [row] = await db.selectFrom('audit').selectAll().execute();
      expect(row).toMatchObject({ at: 5, subject: 's\ufffd', details: '{"a":1}' });
    });
  });
});
