import { setTimeout } from 'node:timers/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Event, HostEvent } from '#shared/vocabulary/event.ts';
import type { Client } from './connect.ts';

const maxTries = 20;

/** The events of a topic, from a snapshot on; goes on by itself where a cut stream was. */
export async function* readEvents(client: Client, topicId: string): AsyncGenerator<Event> {
  let lastSeq: number | undefined;
  const path = `/api/topics/${encodeURIComponent(topicId)}/events`;
  const address = () => (lastSeq === undefined ? path : `${path}?after=${lastSeq}`);
  for await (const event of readStream<Event>(client, address)) {
    lastSeq = event.seq ?? lastSeq;
    yield event;
  }
}

/** The events of the whole host until the signal is aborted; what waits already comes first. */
export function readHostEvents(client: Client, signal: AbortSignal): AsyncGenerator<HostEvent> {
  return readStream<HostEvent>(client, () => '/api/events', signal);
}

async function* readStream<T>(
  client: Client,
  address: () => string,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      for await (const event of parseStream<T>(await client.request(address()), signal)) {
        tries = 0;
        yield event;
      }
    } catch (error) {
      if (error instanceof CeriseError) throw error;
    }
    if (signal?.aborted) return;
    await setTimeout(Math.min(100 * 2 ** tries, 5000));
  }
}

async function* parseStream<T>(response: Response, signal?: AbortSignal): AsyncGenerator<T> {
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const data = frame.split('\n').find((line) => line.startsWith('data: '));
        if (data) yield JSON.parse(data.slice(6)) as T;
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}
