import { once } from 'node:events';
import { expect, it } from 'vitest';
import { armFault } from '#shared/errors/fault.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { describeEachDatabase } from '../databases.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { model, noting, openV1 } from '../fixtures/v1.ts';
import { owner } from '../host.ts';

describeEachDatabase((_open, fresh, dialect) => {
  it('T97: a background response goes on, and its call is not made again', async () => {
    const notes: unknown[] = [];
    const place = await fresh();
    const gate = Promise.withResolvers<void>();
    const first = await openV1([calls(['look_up', {}])], {
      place,
      tools: [noting(notes, { before: gate.promise })],
    });
    const { id } = await first.openai.responses.create({ model, input: 'Do it', background: true });
    await expect.poll(() => notes.length).toBe(1);
    await first.close();
    const second = await openV1([says('The outcome is unknown.')], {
      place,
      tools: [noting(notes)],
    });
    await expect
      .poll(async () => (await second.openai.responses.retrieve(id)).status, { timeout: 15_000 })
      .toBe('completed');
    expect(notes).toHaveLength(1);
    expect(await second.openai.responses.retrieve(id)).toMatchObject({
      output_text: 'The outcome is unknown.',
      output: [{ type: 'mcp_call', status: 'failed' }, { type: 'message' }],
    });
    gate.resolve();
  });

  it('a stream that goes on after a restart ends with what the response is', async () => {
    const place = await fresh();
    async function* breaksOff(_: unknown, signal: AbortSignal): AsyncGenerator<Chunk[]> {
      yield says('Half of').slice(0, 2);
      await once(signal, 'abort');
    }
    const first = await openV1([breaksOff], { place });
    const begun = await first.openai.responses.create({
      model,
      input: 'Do it',
      background: true,
      stream: true,
    });
    let [id, last] = ['', 0];
    for await (const event of begun) {
      if (event.type === 'response.created') id = event.response.id;
      last = event.sequence_number;
      if (event.type === 'response.output_text.delta') break;
    }
    await first.close();
    const { openai } = await openV1([says('All of it.')], { place });
    const rest = await Array.fromAsync(
      await openai.responses.retrieve(id, { stream: true, starting_after: last }),
    );
    const response = await openai.responses.retrieve(id);
    expect(response.output_text).toBe('All of it.');
    expect(rest.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: response.output },
    });
  });

  it.skipIf(dialect === 'sqlite')(
    'T97: a response begins once on the host that has its topic, though that fails right after',
    async () => {
      const place = await fresh();
      const gate = Promise.withResolvers<void>();
      async function* slow(): AsyncGenerator<Chunk[]> {
        await gate.promise;
        yield says('Slow.');
      }
      const holder = await openV1([says('One.'), slow, says('Two.')], { place });
      const other = await openV1([], { place });
      const { id: previous_response_id } = await holder.openai.responses.create({
        model,
        input: 'Hi',
      });
      const { db } = holder.host.store;
      const run = await db.selectFrom('runs').select('topic_id').executeTakeFirstOrThrow();
      await holder.host.messages.send(owner, run.topic_id, { text: 'Wait', model });
      await expect.poll(() => holder.scripted.requests.length).toBe(2);
      armFault('inbox-carried-out:1:full', () => undefined);
      const request = { model, input: 'More', previous_response_id, background: true };
      const { id } = await other.openai.responses.create(request);
      gate.resolve();
      await expect
        .poll(async () => (await other.openai.responses.retrieve(id)).output_text)
        .toBe('Two.');
      expect(await db.selectFrom('runs').select('id').execute()).toHaveLength(2);
    },
  );
});
