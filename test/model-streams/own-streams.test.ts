import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownStreams } from './own-streams.ts';
import { farewell } from './recorded.ts';
import { openReplayHost, plainTool, type ReplayHost } from './replay-host.ts';
import { addPart, toldIn } from './told.ts';

let replay: ReplayHost;
beforeAll(async () => {
  replay = await openReplayHost(['add', 'now', 'here'].map((name) => plainTool(name)));
});
afterAll(() => replay.close());

describe.concurrent.each(ownStreams)('a written stream through a whole host: $name', (own) => {
  const calls = own.told.parts.some(({ type }) => type === 'call') && !own.told.error;

  it.each([
    ['in one read', undefined],
    ['in reads of three bytes', Array.from(own.bytes, (_, place) => place * 3)],
  ])('comes out as blocks that say what it says, %s', async (_how, splits) => {
    const provider = await replay.provider(own.kind);
    provider.play(
      { bytes: own.bytes, splits },
      ...(calls ? [{ bytes: farewell(own.vendor) }] : []),
    );
    const answer = await provider.ask();
    const expected = structuredClone(own.told);
    if (calls) addPart(expected.parts, { type: 'text', text: 'Done.' });
    const { sealed, ...told } = toldIn(answer);
    const { sealed: expectedSealed, ...rest } = expected;
    expect(told).toEqual(rest);
    for (const seal of expectedSealed) expect(sealed.join()).toContain(seal);
    expect(answer.status).toBe(own.told.error ? 'error' : 'success');
    const errors = answer.blocks.filter(({ type }) => type === 'error');
    expect(errors).toHaveLength(own.told.error || own.told.note ? 1 : 0);
    expect(provider.requests).toHaveLength(calls ? 2 : 1);
  });
});
