import { describe, expect, it } from 'vitest';
import type { Json } from '#shared/vocabulary/json.ts';
import {
  text,
  data,
  tool,
  string,
  time,
  list,
  read,
  conversation,
  namesOf,
} from '../../../test/fakes/demo-conversation.ts';
import { createDemoModel } from './model.ts';

describe('the demo model', () => {
  it('thinks, calls both tools at once, and answers from both results', async () => {
    const [first, second] = await conversation().ask(
      'What time is it in Tokyo, and what files are in the workspace?',
    );
    expect(first?.types).toEqual(['thinking-start', 'tool-created', 'tool-created']);
    expect(first?.calls).toEqual([
      { toolName: time.name, arguments: { timezone: 'Asia/Tokyo' } },
      { toolName: list.name, arguments: { path: '.' } },
    ]);
    expect(second?.types).toEqual(['text-start']);
    expect(second?.text).toContain('In **Tokyo** it is **14:05** on Sunday');
    expect(second?.text).toMatch(/contains 3 entries:[^]*`notes\/`[^]*`welcome\.md`/);
    expect(second?.text).toMatch(/\*Scripted demo model:[^*]*\*$/);
  });

  it('lists the questions of a record when a conversation is compacted', async () => {
    const record =
      '<record>\nUser: What time is it?\n\nAssistant: Noon.\n\nUser: And in Rome?\n</record>';
    const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: record }] }];
    const request = {
      purpose: 'compact' as const,
      system: '',
      messages,
      tools: [],
      parameters: {},
    };
    let text = '';
    for await (const batch of createDemoModel({ pace: 0 }).stream(
      request,
      AbortSignal.timeout(5000),
    ))
      for (const chunk of batch) if (chunk.type === 'text-delta') text += chunk.text;
    expect(text).toMatch(/- What time is it\?\n- And in Rome\?$/);
  });

  it('labels the first answer of a topic only', async () => {
    const { ask } = conversation();
    expect((await ask('hello')).at(-1)?.text).toContain('*Scripted demo model');
    expect((await ask('hello again')).at(-1)?.text).not.toContain('*Scripted demo model');
  });

  it('understands questions that refer to earlier results', async () => {
    const { ask } = conversation();
    await ask('What time is it in Tokyo, and what files are in the workspace?');
    expect((await ask('and in Paris?'))[0]?.calls).toEqual([
      { toolName: time.name, arguments: { timezone: 'Europe/Paris' } },
    ]);
    expect((await ask('read the first one')).at(-1)?.text).toContain('# Welcome');
    const [measure, answer] = await ask('which of them is the largest?');
    expect(namesOf(measure)).toEqual(['get_file_info', 'get_file_info']);
    expect(answer?.text).toBe('Of the 2 files, `big.csv` is the largest: 400 B.');
    expect((await ask('what did I ask before?'))[0]?.text).toContain('2. and in Paris?');
  });

  it('lists first when a question needs a listing that is not there', async () => {
    const rounds = await conversation().ask('read the last file');
    expect(rounds.map(namesOf)).toEqual([['list_directory'], ['read_text_file'], []]);
    expect(rounds[1]?.calls[0]?.arguments).toEqual({ path: 'big.csv' });
  });

  it('finds the row of a table, and adds a line to a file', async () => {
    const table = { ...read, run: () => text('name,moons\nEarth,1\nSaturn,274\nMars,2') };
    const [, ranked] = await conversation([table]).ask('Which planet in a.csv has the most moons?');
    expect(ranked?.text).toContain('**Saturn** comes first (most): **274**');
    const shopping = { ...read, run: () => text('- tea\n- bread\n') };
    const properties = { path: string, content: string };
    const write = tool('mcp__filesystem__write_file', properties, () => text('ok'));
    const rounds = await conversation([shopping, write]).ask('Put milk on the shopping list.');
    expect(rounds.map(namesOf)).toEqual([['read_text_file'], ['write_file'], []]);
    expect(rounds[1]?.calls[0]?.arguments).toEqual({
      path: 'notes/shopping.txt',
      content: '- tea\n- bread\n- milk\n',
    });
  });

  it('answers in Chinese when asked in Chinese', async () => {
    const rounds = await conversation().ask('东京现在几点，工作区里有哪些文件？');
    expect(namesOf(rounds[0])).toEqual(['get_current_time', 'list_directory']);
    expect(rounds[1]?.text).toMatch(/\*\*东京\*\*现在是 \*\*14:05\*\*[^]*工作区里有 3 项/);
  });

  it.each([
    ['what is 12 * (3+4)', '`12 * (3+4)` = **84**'],
    ['Fetch http://127.0.0.1:9/x', '“A page”'],
    ['read welcome.md', '```markdown\n# Welcome\nHello.\n```'],
    ['show me an image', 'Here is the image. Two cherries.'],
    ['echo "good morning"', '`echo` returned: good morning'],
  ])('uses the result of %j', async (question, expected) => {
    const rounds = await conversation().ask(question);
    expect(rounds).toHaveLength(2);
    expect(rounds[1]?.text).toContain(expected);
  });

  it('tells failures and denials honestly', async () => {
    const broken = { ...time, run: () => ({ ...text('The clock is broken.'), isError: true }) };
    expect((await conversation([broken]).ask('what time is it')).at(-1)?.text).toContain(
      '> The clock is broken.',
    );
    const denied = {
      ...time,
      run: () => ({ ...text('The user denied this call.'), isError: true }),
    };
    expect((await conversation([denied]).ask('what time is it')).at(-1)?.text).toContain(
      'You didn’t approve',
    );
  });

  it('uses tools of servers it has never heard of', async () => {
    const weather = tool('weather__getForecast', { city: string }, ({ city }) =>
      text(`Sun in ${city}`),
    );
    expect(
      (await conversation([weather]).ask('What is the forecast for Paris?'))[1]?.text,
    ).toContain('Sun in Paris');
    const clock = {
      ...tool('x__whatsup', {}, () => text('noon')),
      description: 'Tells the current time.',
    };
    expect(namesOf((await conversation([clock]).ask('what time is it?'))[0])).toEqual(['whatsup']);
    const remove = tool('x__delete_forecast', {}, () => text('gone'));
    expect((await conversation([remove]).ask('What is the forecast?'))[0]?.calls).toEqual([]);
  });

  it('says what is missing, and helps without tools', async () => {
    expect((await conversation([list]).ask('What time is it in Tokyo?'))[0]?.text).toMatch(
      /have a tool for telling the time[^]*2026-11-15 05:05 UTC/,
    );
    expect((await conversation([]).ask('hello'))[0]?.text).toContain('any tools for this question');
    expect((await conversation([time]).ask('hello'))[0]?.text).toContain(
      'What time is it in Tokyo?',
    );
  });

  it('adds a fact to what is known already', async () => {
    const entities: Json = { type: 'array' };
    const create = tool('mcp__memory__create_entities', { entities }, () => data({ entities: [] }));
    const add = tool('mcp__memory__add_observations', { observations: entities }, () =>
      data({ results: [{ entityName: 'user', addedObservations: ['x'] }] }),
    );
    const rounds = await conversation([create, add]).ask('Remember that I like tea');
    expect(rounds.map(namesOf)).toEqual([['create_entities'], ['add_observations'], []]);
    expect(rounds[1]?.calls[0]?.arguments).toEqual({
      observations: [{ entityName: 'user', contents: ['I like tea'] }],
    });
    expect(rounds[2]?.text).toContain('I’ll remember: **I like tea**');
  });

  it('gives a short title', async () => {
    const titleOf = async (question: string) => {
      const { messages, respond } = conversation();
      messages.push({ role: 'user', parts: [{ type: 'text', text: question }] });
      return (await respond([], 'title')).text;
    };
    expect(await titleOf('what time is it in "Tokyo", and what files are there?')).toBe(
      'What time is it in Tokyo',
    );
    expect(await titleOf("don't panic")).toBe("Don't panic");
    expect(await titleOf('/call echo {}')).toBe('Call echo');
    expect(await titleOf('东京现在几点，工作区里有哪些文件？')).toMatch(/^东京现在几点/);
    expect(await titleOf('/tour 导览')).toBe('导览');
    expect(await titleOf('')).toBe('New chat');
  });
});
