import { randomUUIDv7 } from 'node:crypto';
import { insertToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';

export const calls = 100_000;
export const messages = 60_000;
const topics = 60;
const day = 24 * 3_600_000;

/** Gives the local person many calls of the last 30 days. */
export async function fillCalls(place: StoreOptions): Promise<void> {
  const store = await openStore(place);
  const now = Date.now();
  for (let start = 0; start < calls; start += 1000)
    await store.transaction((tx) =>
      insertToolCalls(
        tx,
        Array.from({ length: 1000 }, (_, n) => toCall(start + n, now)),
      ),
    );
  await store.close();
}

function toCall(n: number, now: number): ToolCallRecord {
  const createdAt = now - ((n * 7919) % calls) * ((30 * day) / calls);
  return {
    id: randomUUIDv7(),
    owner: 'local',
    round: 0,
    index: n,
    callId: `call_${n}`,
    serverId: `server-${n % 7}`,
    serverName: `Server ${n % 7}`,
    toolName: `tool_${n % 40}`,
    arguments: { n },
    argsHash: 'hash',
    state: n % 20 === 0 ? 'failed' : 'succeeded',
    createdAt,
    startedAt: createdAt,
    endedAt: createdAt + 10 + ((n * 31) % 2000),
  };
}

/** An export file of many messages, about 17 MB. */
export function* exportLines(): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const at = Date.now() - day;
  yield line({ kind: 'cerise-export', version: 1, exportedAt: at });
  for (let topic = 0; topic < topics; topic += 1) {
    const id = randomUUIDv7();
    const times = { createdAt: at, updatedAt: at };
    const fields = { titled: true, assistantId: 'default', activeLeafId: null, ...times };
    yield line({ kind: 'topic', topic: { id, title: `Topic ${topic}`, ...fields } });
    let parentId: string | null = null;
    for (let n = 0; n < messages / topics; n += 1) {
      const message = toMessage(parentId, n, at);
      parentId = message.id;
      yield line({ kind: 'message', message });
    }
  }
  yield line({ kind: 'end' });
}

function toMessage(parentId: string | null, n: number, at: number) {
  const id = randomUUIDv7();
  const times = { startedAt: at, endedAt: at };
  const common = { id: `${id}.0`, ordinal: 0, status: 'success', round: 0, ...times };
  const blocks = [{ ...common, type: 'main_text', content: words(n) }];
  const rest = { status: 'success', createdAt: at, endedAt: at, blocks };
  return n % 2 === 0
    ? { id, parentId, role: 'user', ...rest }
    : { id, parentId, role: 'assistant', model: 'demo/scripted', ...rest };
}

const vocabulary = Array.from({ length: 2000 }, (_, n) => n.toString(36));
const words = (seed: number): string =>
  Array.from({ length: 14 }, (_, n) => vocabulary[(seed * 31 + n * 17) % 2000]).join(' ');
