import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { openApi, stored, type TestApi, token } from '../../../test/fixtures/http.ts';
import { PacedModel } from '../../../test/fixtures/paced-model.ts';
import { ClientState, readFrames } from '../../../test/fixtures/sse-reader.ts';
import { quickJournal } from '../../../test/host.ts';
import { illegalities } from '../../../test/legal-conversation.ts';

const model = 'test/paced';

/** Reads until the answer has ended, cut after the given numbers of bytes, and then not any more. */
async function readWithCuts(
  api: TestApi,
  topicId: string,
  answerId: string,
  cuts: number[],
  how: 'query' | 'header',
): Promise<ClientState> {
  const client = new ClientState();
  const ended = () => {
    const answer = client.conversation?.messages.find(({ id }) => id === answerId);
    return answer !== undefined && !isMessageRunning(answer);
  };
  for (let connection = 0; !ended(); connection += 1) {
    if (connection > cuts.length + 5) throw new Error('the answer never ended');
    const last = client.lastId;
    const query = how === 'query' && last !== undefined ? `?after=${last}` : '';
    const response = await api.raw('GET', `/api/topics/${topicId}/events${query}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(how === 'header' && last !== undefined && { 'last-event-id': String(last) }),
      },
    });
    await readFrames(
      response,
      (frame) => {
        client.take(frame);
        return ended();
      },
      cuts[connection],
    );
  }
  return client;
}

describe('a reader that is cut at any byte, any number of times', () => {
  it('ends with exactly the log: no event twice, none missing, and always an end', async () => {
    const paced = new PacedModel();
    const api = await openApi({ models: { [model]: paced }, limits: quickJournal(1) });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          deltas: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
            minLength: 1,
            maxLength: 60,
          }),
          batch: fc.integer({ min: 1, max: 7 }),
          readers: fc.array(
            fc.record({
              cuts: fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 25 }),
              how: fc.constantFrom('query' as const, 'header' as const),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          earlier: fc.boolean(),
        }),
        async ({ deltas, batch, readers, earlier }) => {
          const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
          const question = `question-${(runs += 1)}-end`;
          paced.scripts.set(question, { deltas, batch });
          const ask = () =>
            api.json<{ answerId: string }>('POST', `/api/topics/${topic.id}/messages`, {
              text: question,
            });
          if (earlier) await readWithCuts(api, topic.id, (await ask()).answerId, [], 'query');
          const { answerId } = await ask();
          const clients = await Promise.all(
            readers.map(({ cuts, how }) => readWithCuts(api, topic.id, answerId, cuts, how)),
          );
          const log = await stored(api, topic.id);
          const read = await api.json('GET', `/api/topics/${topic.id}`);
          expect(read).toEqual(log);
          expect(illegalities(log)).toEqual([]);
          expect(log.messages.at(-1)?.blocks[0]?.content).toBe(deltas.join(''));
          for (const client of clients) {
            expect(client.problems).toEqual([]);
            expect(client.conversation).toEqual(log);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
