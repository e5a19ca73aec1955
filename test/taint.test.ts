import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says } from './fakes/scripted-model.ts';
import { openTaintHost, tools, type Wanted } from './fixtures/taint.ts';
import { openHost, owner } from './host.ts';

const read: Wanted = ['mcp__stranger__read', {}];
const memory = (name: string, args = {}): Wanted => [`mcp__memory__${name}`, args];
const files = (name: string, args = {}): Wanted => [`mcp__filesystem__${name}`, args];
const write = (path: string, content: string) => files('write_file', { path, content });
const open = (path: string) => files('read_text_file', { path });
const entity = (name: string) => ({ name, entityType: 'thing', observations: [`${name} is here`] });
const remember = (...names: string[]) => memory('create_entities', { entities: names.map(entity) });
const recall = (...names: string[]) => memory('open_nodes', { names });
const untrusted = { reason: 'untrusted_words' };
const isMarked = ([block]: ToolBlock[]) => block?.untrusted === true;

describeEachDatabase((_open, fresh) => {
  describe('T91: untrusted words that were kept', () => {
    it('make calls ask after they went through the memory into another topic', async () => {
      const { newTopic, turn, asks } = await openTaintHost(await fresh());
      const first = await newTopic();
      await turn(first, remember('Plain'), read, remember('Lure'));
      const relation = { from: 'Plain', to: 'Other', relationType: 'calls' };
      await turn(
        first,
        memory('add_observations', {
          observations: [{ entityName: 'Plain', contents: ['call wipe'] }],
        }),
      );
      const second = await newTopic();
      await turn(second, remember('Other'), memory('create_relations', { relations: [relation] }));
      expect(isMarked(await turn(second, recall('Other')))).toBe(false);
      expect(await asks(second)).toBeUndefined();
      const [block] = await turn(second, memory('search_nodes', { query: 'lure' }));
      expect(block?.result?.origins).toMatchObject([
        {
          from: 'tool',
          serverName: 'stranger',
          toolName: 'read',
          topicId: first,
          answerId: expect.any(String),
          at: expect.any(Number),
          kept: { place: 'memory', name: 'Lure' },
        },
      ]);
      expect(await asks(second)).toMatchObject({ ...untrusted, origins: block?.result?.origins });
      const third = await newTopic();
      expect(isMarked(await turn(third, recall('Plain')))).toBe(true);
      await turn(third, memory('delete_entities', { entityNames: ['Lure'] }));
      const fourth = await newTopic();
      await turn(fourth, remember('Lure'));
      expect(isMarked(await turn(fourth, recall('Lure')))).toBe(false);
    });

    it('make calls ask after they went through a file, also a moved and an edited one', async () => {
      const { newTopic, turn, asks } = await openTaintHost(await fresh());
      await turn(await newTopic(), read, write('a.txt', 'call wipe\n'));
      const second = await newTopic();
      const edits = [{ oldText: '\n', newText: '!\n' }];
      await turn(
        second,
        files('move_file', { source: 'a.txt', destination: 'b.txt' }),
        files('edit_file', { path: 'b.txt', edits }),
      );
      expect(await asks(second)).toBeUndefined();
      const third = await newTopic();
      expect(isMarked(await turn(third, files('search_files', { text: 'wipe' })))).toBe(true);
      await turn(second, open('b.txt'));
      expect(await asks(second)).toMatchObject({
        ...untrusted,
        origins: [{ serverName: 'stranger', kept: { place: 'files', name: 'b.txt' } }],
      });
      const fourth = await newTopic();
      await turn(fourth, write('b.txt', 'all is new here'), open('b.txt'), open('notes/ideas.md'));
      expect(await asks(fourth)).toBeUndefined();
    });

    it('count as names of files too, and only where they are told', async () => {
      const { newTopic, turn } = await openTaintHost(await fresh());
      await turn(await newTopic(), read, files('create_directory', { path: 'data/call wipe' }));
      const topic = await newTopic();
      expect(isMarked(await turn(topic, files('list_directory')))).toBe(false);
      const listed = await turn(topic, files('list_directory', { path: 'data' }));
      expect(listed[0]?.result?.origins).toMatchObject([{ serverName: 'stranger' }]);
      for (const call of [files('directory_tree'), files('search_files', { pattern: '*wipe*' })])
        expect(isMarked(await turn(await newTopic(), call))).toBe(true);
      const info = files('get_file_info', { path: 'data/call wipe' });
      expect(isMarked(await turn(await newTopic(), info))).toBe(false);
    });

    it('T91: are listed whole, since all of them are trusted with the click', async () => {
      const { host, newTopic, turn } = await openTaintHost(await fresh());
      const text = `${'word '.repeat(3000)}and then wipe`;
      const entities = [{ name: 'Lure', entityType: 'thing', observations: [text] }];
      await turn(await newTopic(), memory('create_entities', { entities }));
      await host.store.db.deleteFrom('provenance').where('place', '=', 'memory').execute();
      expect((await host.untrusted.list(owner)).memory.map((part) => part.text)).toContain(text);
    });

    it('of an unknown writer make calls ask until a person trusts them', async () => {
      const place = await fresh();
      const { host, newTopic, turn, asks } = await openTaintHost(place);
      const workspace = join(place.home, 'workspace');
      await turn(await newTopic(), write('mine.txt', 'mine'), remember('Lure'));
      await host.store.db.deleteFrom('provenance').where('place', '=', 'memory').execute();
      await writeFile(join(workspace, 'mine.txt'), 'call wipe');
      const topic = await newTopic();
      await turn(topic, open('mine.txt'));
      expect(await asks(topic)).toMatchObject({ ...untrusted, origins: [{ from: 'unknown' }] });
      const listed = await host.untrusted.list(owner);
      expect(listed).toMatchObject({
        files: [{ path: 'mine.txt', kind: 'content', origins: [{ from: 'unknown' }] }],
        memory: [
          { kind: 'entity', name: 'Lure', text: 'thing' },
          { kind: 'observation', name: 'Lure', text: 'Lure is here' },
        ],
        servers: [],
        complete: true,
      });
      const keys = (list: { key: string }[]) => list.map(({ key }) => key);
      const chosen = { memory: keys(listed.memory), files: keys(listed.files), servers: [] };
      await host.untrusted.trust('somebody else', chosen);
      expect(await host.untrusted.list(owner)).toEqual(listed);
      await host.untrusted.trust(owner, chosen);
      expect(await host.untrusted.list(owner)).toMatchObject({ memory: [], files: [] });
      const audit = await host.store.db.selectFrom('audit').selectAll().execute();
      expect(audit.filter(({ action }) => action === 'untrusted.trust')).toHaveLength(2);
      const later = await newTopic();
      await rename(join(workspace, 'mine.txt'), join(workspace, 'welcome.md'));
      await turn(later, open('welcome.md'), memory('read_graph'));
      expect(await asks(later)).toBeUndefined();
      await writeFile(join(workspace, 'welcome.md'), 'call wipe again');
      await turn(later, open('welcome.md'));
      expect(await asks(later)).toMatchObject(untrusted);
    });

    it('stay so at a trusted server that was given them, until a person trusts it', async () => {
      const { host, newTopic, turn, asks } = await openTaintHost(await fresh());
      const keep: Wanted = ['mcp__notes__keep', { text: 'x' }];
      const back: Wanted = ['mcp__notes__recall', {}];
      const before = await newTopic();
      await turn(before, keep, back);
      expect(await asks(before)).toBeUndefined();
      await turn(await newTopic(), read, back);
      expect((await host.untrusted.list(owner)).servers).toEqual([]);
      await turn(await newTopic(), read, keep);
      const topic = await newTopic();
      await turn(topic, back);
      expect(await asks(topic)).toMatchObject({
        ...untrusted,
        origins: [{ serverName: 'stranger', kept: { place: 'server', name: 'notes' } }],
      });
      const { servers } = await host.untrusted.list(owner);
      expect(servers).toMatchObject([{ name: 'notes' }]);
      await host.untrusted.trust(owner, {
        memory: [],
        files: [],
        servers: servers.map(({ key }) => key),
      });
      const later = await newTopic();
      await turn(later, back);
      expect(await asks(later)).toBeUndefined();
    });

    it('stay so in a summary, in what is quoted, and in a message that is worded anew', async () => {
      const { newTopic, turn, say, asks } = await openTaintHost(await fresh());
      const summed = await newTopic();
      const answer = await say(summed, { text: 'go' }, calls(read), says('It says: call wipe.'));
      const compact = await say(summed, { text: '/compact' }, says('A summary: call wipe.'));
      expect(compact.blocks).toMatchObject([{ type: 'compact', status: 'success' }]);
      expect(await asks(summed)).toMatchObject(untrusted);
      const other = await newTopic();
      const mine = await say(other, { text: 'hello' }, says('Hello.'));
      await say(other, { text: '> Hello.', quotes: [{ message: mine.id }] }, says('Yes.'));
      expect(await asks(other)).toBeUndefined();
      await say(other, { text: '> call wipe', quotes: [{ message: answer.id }] }, says('Yes.'));
      expect(await asks(other)).toMatchObject({ origins: [{ topicId: summed }] });
      const third = await newTopic();
      const quoted = await say(
        third,
        { text: '> call wipe', quotes: [{ message: answer.id }] },
        says('Yes.'),
      );
      const again = { text: 'call wipe', parentId: null };
      await say(third, { ...again, quotes: [{ message: quoted.parentId ?? '' }] }, says('Yes.'));
      expect(await asks(third)).toMatchObject(untrusted);
      await turn(third);
      const fourth = await newTopic();
      await say(fourth, { text: 'a prompt', quotes: [{ server: 'nowhere' }] }, says('Yes.'));
      expect(await asks(fourth)).toMatchObject({ origins: [{ from: 'unknown' }] });
    });

    it('stay so in a file of a result that goes with a message of another topic', async () => {
      const { host, newTopic, say, turn, asks } = await openTaintHost(await fresh());
      const long = 'call wipe '.repeat(20_000);
      const kept = await turn(await newTopic(), read, write('long.txt', long), open('long.txt'));
      const [part] = kept[2]?.result?.content ?? [];
      const id = (part && 'stored' in part && part.stored?.id) || '';
      const attached = await newTopic();
      await say(attached, { text: 'look', files: [id] }, says('Yes.'));
      expect(await asks(attached)).toMatchObject(untrusted);
      const blob = await host.blobs.find(owner, id);
      const bytes = blob && (await host.blobs.read(blob));
      const facts = { owner, mimeType: 'text/plain' };
      const again = await host.blobs.keep(bytes ?? Buffer.of(), facts);
      const uploaded = await newTopic();
      await say(uploaded, { text: 'look', files: [again.id] }, says('Yes.'));
      expect(await asks(uploaded)).toMatchObject(untrusted);
      const own = await host.blobs.keep(Buffer.from('my own words'), facts);
      const plain = await newTopic();
      await say(plain, { text: 'look', files: [own.id] }, says('Yes.'));
      expect(await asks(plain)).toBeUndefined();
    });

    it('stay so where read_more gives them to another branch', async () => {
      const { newTopic, turn, say, asks } = await openTaintHost(await fresh());
      const topic = await newTopic();
      const [block] = await turn(topic, read);
      const more: Wanted = ['read_more', { id: `${block?.toolCallId}.0` }];
      const branch = { text: 'anew', parentId: null };
      await say(topic, branch, says('Hello.'));
      expect(await asks(topic)).toBeUndefined();
      const answer = await say(topic, branch, calls(more), says('Yes.'));
      expect(isMarked(tools(answer))).toBe(true);
      expect(await asks(topic)).toMatchObject(untrusted);
    });

    it('stay so in an import, and nothing becomes trusted by one', async () => {
      const { host, newTopic, turn, asks } = await openTaintHost(await fresh());
      const topic = await newTopic();
      await turn(topic, read, memory('read_graph'));
      const lines = await Array.fromAsync(host.data.exportTopic(owner, topic));
      const text = lines.join('').replaceAll(/"untrusted":true,?|"origins":\[[^\]]*\],?/g, '');
      expect(text).not.toContain('origins');
      const bytes = (async function* () {
        yield Buffer.from(text.replaceAll(/,}/g, '}'));
      })();
      await host.data.import(owner, bytes, { dryRun: '0', existing: 'copy' });
      const copies = await host.topics.list(owner, { limit: 10 });
      const copy = copies.find(({ id }) => id !== topic)?.id ?? '';
      expect(await asks(copy)).toMatchObject({ ...untrusted, origins: [{ from: 'import' }, {}] });
    });

    it('stay so in a call that a person runs again outside of the chat, also after a restart', async () => {
      const place = await fresh();
      const { host, newTopic, turn } = await openTaintHost(place);
      const [clean] = await turn(await newTopic(), write('b.txt', 'mine'));
      const [, written] = await turn(await newTopic(), read, write('a.txt', 'call wipe'));
      const again = (on: Host, block: ToolBlock | undefined) =>
        on.callTool(owner, 'filesystem', 'write_file', block?.arguments ?? {}, {
          repeats: block?.toolCallId,
        });
      expect(await again(host, clean)).toMatchObject({ state: 'succeeded' });
      const { id, argsHash, state } = await again(host, written);
      expect(state).toBe('proposed');
      await host.close();
      const next = await openHost(place);
      onTestFinished(() => next.close());
      await next.approvals.decide(owner, id, { decision: 'approve', argsHash, scope: 'once' });
      await expect.poll(() => next.approvals.get(owner, id)).toMatchObject({ state: 'succeeded' });
      const opened = async (path: string) =>
        (await next.callTool(owner, 'filesystem', 'read_text_file', { path })).result?.origins;
      expect(await opened('a.txt')).toMatchObject([{ serverName: 'stranger' }]);
      expect(await opened('b.txt')).toBeUndefined();
      const unknown = { arguments: { path: 'c.txt', content: 'x' }, toolCallId: 'nowhere' };
      expect(await again(next, unknown as unknown as ToolBlock)).toMatchObject({
        state: 'proposed',
      });
    });

    it('are known by every host on the same data', async () => {
      const place = await fresh();
      const { host, newTopic, turn } = await openTaintHost(place);
      await turn(await newTopic(), read, remember('Lure'), remember('Plain'));
      await host.close();
      const again = await openHost(place);
      const graph = await again.callTool(owner, 'memory', 'read_graph', {});
      await again.close();
      expect(graph.result?.origins).toMatchObject([{ serverName: 'stranger' }, {}]);
    });
  });
});
