import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Db } from '../database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { insertMessage } from './messages.ts';
import { pieces, queryTerms } from './search-text.ts';
import { searchText } from './search.ts';
import { insertTopic, updateTopic } from './topics.ts';

async function addTopic(db: Db, title: string, owner = 'local'): Promise<string> {
  const id = randomUUIDv7();
  await insertTopic(db, owner, {
    id,
    title,
    titled: true,
    assistantId: 'default',
    activeLeafId: null,
    isLoading: false,
    createdAt: 1,
    updatedAt: 2,
  });
  return id;
}

async function say(db: Db, topicId: string, content: string, more: object = {}): Promise<Block> {
  const messageId = randomUUIDv7();
  const block = {
    id: randomUUIDv7(),
    messageId,
    ordinal: 0,
    type: 'main_text',
    status: 'success',
    content,
    round: 0,
    startedAt: 1,
    ...more,
  } as Block;
  await insertMessage(db, {
    id: messageId,
    topicId,
    parentId: null,
    role: 'user',
    status: 'success',
    createdAt: 1,
    blocks: [block],
  });
  return block;
}

describe('search', () => {
  describeEachDatabase((open) => {
    it.each([
      ['天气', '今天天气很好，我们去公园散步'],
      ['公园', '今天天气很好，我们去公园散步'],
      ['园散', '今天天气很好，我们去公园散步'],
      ['散步', '今天天气很好，我们去公园散步'],
      ['步', '今天天气很好，我们去公园散步'],
      ['数据库', '把结果写入PostgreSQL数据库即可'],
      ['postgresql', '把结果写入PostgreSQL数据库即可'],
      ['天气公园', '今天天气很好，我们去公园散步'],
      ['東京', '来週は東京タワーに行きます'],
      ['タワー', '来週は東京タワーに行きます'],
      ['학교', '나는 학교에서 공부한다'],
      ['อาหาร', 'ฉันชอบอาหารไทย'],
      ['𠮷野', '老店𠮷野家'],
    ])('finds %s in running text', async (query, text) => {
      const { db } = await open();
      const topicId = await addTopic(db, 'T');
      const block = await say(db, topicId, text);
      const hits = await searchText(db, 'local', query, 10);
      const { id: blockId, messageId } = block;
      expect(hits).toEqual([
        { topicId, topicTitle: 'T', messageId, blockId, at: 1, snippet: text },
      ]);
      expect(await searchText(db, 'local', '气今', 10)).toEqual([]);
    });

    it('finds words whatever their case, accents and width, and the last one by its beginning', async () => {
      const { db } = await open();
      await say(db, await addTopic(db, 'T'), 'Crème brûlée in the ＣＡＦÉ of Ærø; naïve streaming');
      for (const query of ['creme', 'BRULEE', 'café', 'stream', 'naive str', 'streaming']) {
        expect(await searchText(db, 'local', query, 10), query).toHaveLength(1);
      }
      for (const query of ['rème', 'str naive', 'streamings', 'creme nowhere']) {
        expect(await searchText(db, 'local', query, 10), query).toEqual([]);
      }
    });

    it('finds in one topic only its blocks, the newest first, and only for its owner', async () => {
      const { db } = await open();
      const topicId = await addTopic(db, 'Cherries');
      await say(db, await addTopic(db, 'Elsewhere'), 'cherries too');
      const older = await say(db, topicId, 'cherries are red');
      const newer = await say(db, topicId, 'and cherries are sweet');
      const hits = await searchText(db, 'local', 'cherries', 10, topicId);
      expect(hits.map(({ blockId }) => blockId)).toEqual([newer.id, older.id]);
      expect(await searchText(db, 'somebody', 'cherries', 10, topicId)).toEqual([]);
      expect(await searchText(db, 'local', 'cherries', 10, 'nowhere')).toEqual([]);
    });

    it('takes nothing in a query as syntax', async () => {
      const { db } = await open();
      await say(db, await addTopic(db, 'T'), "don't stop: NEAR the C++ (AND) AND-gate");
      const queries = [
        '"',
        "'",
        "''",
        '*',
        'a*',
        ':',
        'tokens:stop',
        '-stop',
        '(',
        ')',
        '^',
        'NEAR(',
        '\\',
        '&',
        '|',
        '!',
        '<->',
        "') or true --",
        'stop AND',
        'OR',
        'NOT stop',
        '\0',
        '\ud800',
        '%',
        '_',
        ';',
        'a'.repeat(100_000),
        '天'.repeat(5000),
        'x '.repeat(5000),
      ];
      for (const query of queries) {
        expect(Array.isArray(await searchText(db, 'local', query, 10)), query).toBe(true);
      }
      expect(await searchText(db, 'local', '"stop" AND (near)', 10)).toHaveLength(1);
      expect(await searchText(db, 'local', "don't", 10)).toHaveLength(1);
      expect(await searchText(db, 'local', '  ', 10)).toEqual([]);
    });

    it('never fails on any query', async () => {
      const { db } = await open();
      await say(db, await addTopic(db, 'T'), 'text');
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (query) => {
          await searchText(db, 'local', query, 5);
        }),
        { numRuns: 200 },
      );
    });

    it('finds titles first, by their present name only, and nothing of others', async () => {
      const { db } = await open();
      const topicId = await addTopic(db, 'Cherry orchard');
      await say(db, topicId, 'a cherry');
      await say(db, await addTopic(db, 'Cherry of another', 'other'), 'a cherry');
      const found = await searchText(db, 'local', 'cherry', 10);
      expect(found.map(({ snippet, topicTitle }) => [topicTitle, snippet])).toEqual([
        ['Cherry orchard', 'Cherry orchard'],
        ['Cherry orchard', 'a cherry'],
      ]);
      // So that the answer of last week can be told from today's.
      expect(found.map(({ at }) => at)).toEqual([2, 1]);
      await updateTopic(db, 'local', topicId, { title: 'Plum orchard' });
      expect(await searchText(db, 'local', 'cherry', 10)).toHaveLength(1);
      expect(await searchText(db, 'local', 'plum', 10)).toHaveLength(1);
      expect(await searchText(db, 'local', 'orchard', 10)).toHaveLength(1);
    });

    it('finds tool results, citations and errors by what they say', async () => {
      const { db } = await open();
      const topicId = await addTopic(db, 'T');
      await say(db, topicId, '', {
        type: 'tool',
        toolName: 'forecast',
        arguments: { city: 'Reykjavik' },
        result: { content: [{ type: 'text', text: 'light drizzle' }] },
      });
      await say(db, topicId, '', {
        type: 'citation',
        citations: [{ number: 1, title: 'Almanac', url: 'https://example.org/sky' }],
      });
      await say(db, topicId, '', {
        type: 'error',
        error: { code: 'model_failed', message: 'The vendor hung up.' },
      });
      for (const query of ['forecast', 'reykjavik', 'drizzle', 'almanac', 'vendor hung']) {
        expect(await searchText(db, 'local', query, 10), query).toHaveLength(1);
      }
    });

    it('shows where the words of a query stand together, and no half of a word', async () => {
      const { db } = await open();
      const sources =
        'Here are the outstanding sources: 1. An introduction to cherries, and their origins. 2. The history of ' +
        'cherries, from the beginnings to today, with many pictures. 3. Ten questions that are asked most often.';
      await say(db, await addTopic(db, 'T'), sources);
      const [hit] = await searchText(db, 'local', 'history of cherries', 10);
      expect(hit?.snippet).toContain('The history of cherries, from');
      for (const word of hit?.snippet.match(/[a-z]+/gi) ?? [])
        expect(sources.split(/[^a-z]+/i)).toContain(word);
    });

    it('indexes a long text to its end and shows the place that matched', async () => {
      const { db } = await open();
      const long = Array.from({ length: 40_000 }, (_, at) => `word${at}`).join(' ');
      await say(db, await addTopic(db, 'T'), `${long} needle ${'甲乙丙丁'.repeat(9000)}结束语`);
      const [needle] = await searchText(db, 'local', 'needle', 10);
      expect(needle?.snippet).toMatch(/^….*word39999 needle 甲乙.*…$/);
      expect(needle?.snippet.length).toBeLessThan(200);
      const [end] = await searchText(db, 'local', '结束语', 10);
      expect(end?.snippet).toMatch(/^….*结束语$/);
    });
  });
});

describe('the words of a text', () => {
  it('hold every query that is cut out of it, at any two characters', () => {
    const text = '北京大学生前来应聘研究生命起源';
    const tokens = new Set(pieces(text, 8000).flatMap((piece) => piece.tokens));
    for (let at = 0; at + 2 <= text.length; at++) {
      for (const term of queryTerms(text.slice(at, at + 2))) {
        const [first = ''] = term.tokens;
        const found = [...tokens].some((token) => token.startsWith(first));
        expect(found, term.text).toBe(true);
      }
    }
  });

  it('makes no empty token, and none with anything but letters, marks and digits in it', () => {
    const text = '\u0300 a\u0300 \u0149 \ufdfa ½ \u0345 x';
    const tokens = pieces(text, 8000).flatMap((piece) => piece.tokens);
    expect(tokens).toContain('a');
    for (const token of tokens) expect(token).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
  });

  it('are bounded for a word without end', () => {
    const [piece] = pieces('A'.repeat(1_000_000), 8000);
    expect(piece?.tokens).toEqual(['a'.repeat(64)]);
  });
});
