import { setTimeout } from 'node:timers/promises';
import { CeriseError } from '#shared/errors.ts';
import type { Event } from '#shared/event.ts';
import type { Client } from './connect.ts';

const maxTries = 20;

/** The events of a topic, from a snapshot on; goes on by itself where a cut stream was. */
export async function* readEvents(client: Client, topicId: string): AsyncGenerator<Event> {
  let lastSeq: number | undefined;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const after = lastSeq === undefined ? '' : `?after=${lastSeq}`;
    try {
      const path = `/api/topics/${encodeURIComponent(topicId)}/events${after}`;
      const response = await client.request(path);
      for await (const event of parseStream(response)) {
        tries = 0;
        lastSeq = event.seq ?? lastSeq;
        yield event;
      }
    } catch (error) {
      if (error instanceof CeriseError) throw error;
    }
    await setTimeout(Math.min(100 * 2 ** tries, 5000));
  }
}

async function* parseStream(response: Response): AsyncGenerator<Event> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice(6)) as Event;
    }
  }
}
