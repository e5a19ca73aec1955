import { describe, expect, it } from 'vitest';
import {
  all,
  conversation,
  echo,
  namesOf,
  string,
  text,
  tool,
} from '../../../test/fakes/demo-conversation.ts';

const things = 'invoice ticket branch deployment calendar contact playlist sensor'.split(' ');
const acts = 'open close archive assign approve export label merge rename restore'.split(' ');
/** Tools that nobody asks for here. */
const crowd = things.flatMap((thing) =>
  acts.map((act) => ({
    ...tool(`mcp__office__${act}_${thing}`, { id: string }, () => text('done')),
    description: `Use this to ${act} one ${thing} by its id.`,
  })),
);
const searched = ['search_tools'];

describe('the demo model with a search in the place of its tools', () => {
  const talk = (tools = [...crowd, ...all]) => conversation(tools, { deferred: true });

  it('searches for what it needs, then calls it', async () => {
    const { ask } = talk();
    const rounds = await ask('What time is it in Tokyo, and what files are in the workspace?');
    expect(rounds.map(namesOf)).toEqual([
      ['search_tools', 'search_tools'],
      ['call_tool', 'call_tool'],
      [],
    ]);
    expect(rounds[0]?.types[0]).toBe('thinking-start');
    expect(rounds[1]?.calls[0]?.arguments).toEqual({
      name: 'mcp__time__get_current_time',
      arguments: { timezone: 'Asia/Tokyo' },
    });
    expect(rounds[2]?.text).toMatch(/In \*\*Tokyo\*\* it is \*\*14:05\*\*[^]*`welcome\.md`/);
    const [again] = await ask('and in Paris?');
    expect(namesOf(again)).toEqual(['call_tool']);
  });

  it('does what takes several steps', async () => {
    const rounds = await talk().ask('read the last file');
    expect(rounds.map(namesOf)).toEqual([searched, ['call_tool'], searched, ['call_tool'], []]);
    expect(rounds.at(-1)?.text).toContain('`big.csv`');
  });

  it('makes every stop of the tour', async () => {
    const rounds = await talk().ask('/tour', 25);
    const called = rounds.flatMap(({ calls }) => calls.map((call) => call.arguments['name'] ?? ''));
    expect(called.filter(Boolean)).toHaveLength(7);
    expect(rounds.at(-1)?.text).not.toContain('left out');
  });

  it('finds the tool that a command names, in one search', async () => {
    const rounds = await talk().ask(
      '/call echo {"message": "one"}\n\n/call echo {"message": "two"}',
    );
    expect(rounds.map(namesOf)).toEqual([searched, ['call_tool'], ['call_tool'], []]);
    expect(rounds.at(-1)?.text).toMatch(/one[^]*two/);
    const own = await talk().ask('/call search_tools {"query": "echo"}');
    expect(own.map(namesOf)).toEqual([searched, []]);
    expect(own[1]?.text).toContain('mcp__demo__echo');
  });

  it('says what it did not find, and what it could be asked', async () => {
    const rounds = await talk([...crowd, echo]).ask('What time is it in Tokyo?');
    expect(rounds.map(namesOf)).toEqual([searched, []]);
    expect(rounds[1]?.text).toContain('have a tool for telling the time');
    expect((await talk().ask('What can you do?'))[0]?.text).toContain('What time is it in Tokyo?');
    const weather = tool('weather__getForecast', { city: string }, ({ city }) =>
      text(`Sun in ${city}`),
    );
    const known = await talk([...crowd, weather]).ask('What is the forecast for Paris?');
    expect(known.at(-1)?.text).toContain('Sun in Paris');
  });
});
