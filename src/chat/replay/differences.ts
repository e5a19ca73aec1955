import type { Difference } from '#shared/api/topic-api.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { othersFirst, Slice } from '#store/database/slices.ts';

/** How many differences are reported, and how much of each side. */
const mostDifferences = 100;
const mostChars = 300;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Requests with some ids replaced, in slices; parts that several requests share are processed once. */
export async function withIds(
  requests: readonly ModelRequest[],
  ids: ReadonlyMap<string, string>,
): Promise<ModelRequest[]> {
  const known = new Map<object, object>();
  const slice = new Slice();
  const change = async <T extends object>(value: T): Promise<T> => {
    const before = known.get(value);
    if (before) return before as T;
    const json = JSON.stringify(value);
    const text = json.replaceAll(uuid, (id) => ids.get(id) ?? id);
    const after = text === json ? value : (JSON.parse(text) as T);
    known.set(value, after);
    await pause(slice, json.length);
    return after;
  };
  const changed: ModelRequest[] = [];
  for (const { messages, tools, rest } of requests.map(inParts))
    changed.push({
      ...(await change(rest)),
      messages: await changeEach(messages, change),
      tools: await changeEach(tools, change),
    });
  return changed;
}

/** Where requests differ, byte for byte; in slices. */
export async function differentRequests(
  recorded: readonly ModelRequest[],
  replayed: readonly ModelRequest[],
): Promise<Difference[]> {
  const equal = new Map<object, object>();
  const slice = new Slice();
  const isSame = async (one: object, other: object): Promise<boolean> => {
    if (equal.get(one) === other) return true;
    const json = JSON.stringify(one);
    if (json !== JSON.stringify(other)) return false;
    equal.set(one, other);
    await pause(slice, json.length);
    return true;
  };
  const found: Difference[] = [];
  const length = Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length && found.length < mostDifferences; index += 1) {
    const [one, other] = [recorded[index], replayed[index]];
    if (one && other && (await areSame(inParts(one), inParts(other), isSame))) continue;
    const path = `requests[${index}]`;
    const places = compare(path, one, other);
    // The same fields in a different order are different bytes.
    found.push(...(places.length > 0 ? places : [difference(path, one, other)]));
    await othersFirst();
  }
  return found.slice(0, mostDifferences);
}

interface RequestParts extends Pick<ModelRequest, 'messages' | 'tools'> {
  /** All its fields in their order, with these two empty. */
  rest: ModelRequest;
}

function inParts(request: ModelRequest): RequestParts {
  const { messages, tools } = request;
  return { messages, tools, rest: { ...request, messages: [], tools: [] } };
}

async function areSame(
  one: RequestParts,
  other: RequestParts,
  isSame: (one: object, other: object) => Promise<boolean>,
): Promise<boolean> {
  const [own, theirs] = [one, other].map(({ rest, messages, tools }) => [
    rest,
    ...messages,
    ...tools,
  ]) as [object[], object[]];
  if (one.messages.length !== other.messages.length || own.length !== theirs.length) return false;
  for (const [index, each] of own.entries())
    if (!(await isSame(each, theirs[index] ?? {}))) return false;
  return true;
}

async function changeEach<T extends object>(
  values: readonly T[],
  change: (value: T) => Promise<T>,
): Promise<T[]> {
  const changed: T[] = [];
  for (const value of values) changed.push(await change(value));
  return changed;
}

async function pause(slice: Slice, bytes: number): Promise<void> {
  if (!slice.add(bytes)) return;
  slice.clear();
  await othersFirst();
}

/** Where the blocks of an answer differ, but for ids and times. */
export function differentBlocks(
  recorded: readonly Block[],
  replayed: readonly Block[],
): Difference[] {
  const own = recorded.filter(({ type }) => type !== 'translation');
  return eachPair(
    own.map((block) => comparable(block, recorded)),
    replayed.map((block) => comparable(block, replayed)),
    (one, other, index) => compare(`blocks[${index}]`, one, other),
  );
}

/** Where two values differ. */
export function differentResults(recorded: unknown, replayed: unknown): Difference[] {
  return compare('', recorded, replayed).map((each) => ({ ...each, path: each.path.slice(1) }));
}

function eachPair<T>(
  one: readonly T[],
  other: readonly T[],
  work: (one: T | undefined, other: T | undefined, index: number) => Difference[],
): Difference[] {
  const length = Math.max(one.length, other.length);
  const found = Array.from({ length }, (_, index) => work(one[index], other[index], index));
  return found.flat().slice(0, mostDifferences);
}

/** A block without what every run makes anew: ids, times, and where its bytes are stored. */
function comparable(block: Block, all: readonly Block[]): unknown {
  const { id: _, messageId: __, startedAt: ___, endedAt: ____, ...rest } = block;
  if (rest.type === 'tool') {
    const { toolCallId: _id, ...call } = rest;
    return withoutPlaces(call);
  }
  if (rest.type === 'citation' && rest.toolBlockId !== undefined) {
    const tool = all.find(({ id }) => id === rest.toolBlockId)?.ordinal;
    return { ...rest, toolBlockId: tool };
  }
  return withoutPlaces(rest);
}

/** Stored bytes by their size alone. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isStored = (key === 'stored' || key === 'structuredStored') && isJsonObject(inner);
      if (isStored) return [key, { size: inner.size }];
      return [key, withoutPlaces(inner)];
    }),
  );
}

/** Where two values differ, with both sides. */
function compare(path: string, one: unknown, other: unknown): Difference[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (Array.isArray(one) && Array.isArray(other))
    return eachPair(one, other, (a, b, index) => compare(`${path}[${index}]`, a, b));
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const inner = keys.flatMap((key) => compare(`${path}.${key}`, one[key], other[key]));
    return inner.slice(0, mostDifferences);
  }
  return [difference(path, one, other)];
}

function difference(path: string, one: unknown, other: unknown): Difference {
  return { path, recorded: shorten(one), replayed: shorten(other) };
}

function shorten(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length <= mostChars ? text : `${text.slice(0, mostChars)}…`;
}
