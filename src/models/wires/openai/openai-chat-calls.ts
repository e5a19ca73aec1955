import { randomBytes } from 'node:crypto';
import { parseJson } from '#shared/vocabulary/json.ts';
import { unreadable } from '../wire-json.ts';
import { shortName } from '../../answers/answer-bounds.ts';
import type { AnswerWriter } from '../../answers/answer-writer.ts';
import { countOf, fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';

interface Call {
  index: number | undefined;
  vendorId: string;
  /** Both empty until the name is known: the call is shown from then on. */
  callId: string;
  name: string;
  /** Arguments that came before the name. */
  early: string;
  hasInput: boolean;
  /** Characters of it that were read to see whether it is whole. */
  looked: number;
  signature?: string;
}

/**
 * Puts the deltas of calls together. Vendors number them by `index`, most name them by `id`; some
 * leave out the one or the other, use the same twice, or send the name late.
 */
export class OpenAiChatCalls {
  readonly #answer: AnswerWriter;
  readonly #calls: Call[] = [];
  readonly #byIndex = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();

  constructor(answer: AnswerWriter) {
    this.#answer = answer;
  }

  get size(): number {
    return this.#calls.length;
  }

  add(delta: Fields): void {
    // A few leave out what stands around name and arguments.
    const described = fieldsOf(delta['function'] ?? delta['custom'] ?? delta);
    const id = shortName(textOf(delta['id']).trim());
    const name = shortName(textOf(described['name']).trim());
    const input = toText(described['arguments'] ?? described['input']);
    const index = countOf(delta['index']);
    const call = this.#find({ index, id, name, input }) ?? this.#create(index, id);
    const seal = fieldsOf(fieldsOf(delta['extra_content'])['google'])['thought_signature'];
    if (typeof seal === 'string') {
      this.#answer.keep(seal.length);
      call.signature = JSON.stringify({ google: { thoughtSignature: seal } });
    }
    if (call.callId !== '') {
      if (!call.hasInput && name !== '') this.#rename(call, name);
      call.hasInput ||= input !== '';
      return this.#answer.callDelta(call.callId, input);
    }
    this.#answer.keep(input.length);
    call.early += input;
    if (call.vendorId === '' && id !== '') this.#nameCall(call, id);
    if (name === '') return;
    call.name = name;
    call.callId = this.#answer.callStart(call.vendorId || makeId(), name);
    call.hasInput = call.early !== '';
    this.#answer.callDelta(call.callId, call.early);
    call.early = '';
  }

  /** Throws for a call that nobody can run. */
  assertNamed(): void {
    if (this.#calls.some(({ callId }) => callId === '')) {
      throw unreadable('A tool call has no name.');
    }
  }

  /** All calls are whole, in the order of their numbers. */
  end(): void {
    const numbered = this.#calls.every(({ index }) => index !== undefined);
    const inOrder = numbered
      ? this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      : this.#calls;
    for (const { callId, signature } of inOrder) {
      this.#answer.callEnd(callId, '', signature);
    }
  }

  /** The call that a delta goes on with, if it does not begin one. */
  #find(delta: { index: number | undefined; id: string; name: string; input: string }) {
    const { index, id, name, input } = delta;
    if (index !== undefined) {
      const call = this.#byIndex.get(index);
      return call && !this.#beginsAnother(call, delta) ? call : undefined;
    }
    const call = id === '' ? this.#calls.at(-1) : this.#byId.get(id);
    if (!call || name === '' || call.callId === '') return call;
    if (id === '') return this.#goesOn(call, delta) ? call : undefined;
    return this.#beginsAnother(call, { id, name, input }) ? undefined : call;
  }

  /** Without id and number a name begins a call, unless the arguments of the same one are not over. */
  #goesOn(call: Call, { name, input }: { name: string; input: string }): boolean {
    const isOpen = call.hasInput && !this.#isWhole(call);
    return isOpen && name === call.name && !input.trimStart().startsWith('{');
  }

  /**
   * A name on a call that has one is a repetition, unless another id with another name or a new set of
   * arguments shows that the vendor uses a number twice.
   */
  #beginsAnother(call: Call, delta: { id: string; name: string; input: string }): boolean {
    if (delta.name === '' || call.callId === '') return false;
    const startsAnew = delta.input.trimStart().startsWith('{');
    const otherId = delta.id !== '' && call.vendorId !== '' && delta.id !== call.vendorId;
    if (otherId && (startsAnew || delta.name !== call.name)) return true;
    return (otherId || startsAnew) && this.#isWhole(call);
  }

  /** Looked at for so long only: a vendor may ask that again with every delta. */
  #isWhole(call: Call): boolean {
    const input = this.#answer.callInput(call.callId);
    call.looked += input.length;
    return call.looked <= maxParsedChars && parseJson(input) !== undefined;
  }

  #create(index: number | undefined, id: string): Call {
    const call: Call = {
      index,
      vendorId: '',
      callId: '',
      name: '',
      early: '',
      hasInput: false,
      looked: 0,
    };
    if (this.#calls.length >= maxCalls) throw unreadable('There are too many tool calls.');
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    if (id !== '') this.#nameCall(call, id);
    return call;
  }

  /** A name may come in pieces, or longer each time, until the arguments begin. */
  #rename(call: Call, name: string): void {
    if (name === call.name) return;
    call.name = shortName(name.startsWith(call.name) ? name : call.name + name);
    this.#answer.callRename(call.callId, call.name);
  }

  #nameCall(call: Call, id: string): void {
    call.vendorId = id;
    this.#byId.set(id, call);
  }
}

/** Named ones are counted as parts of the answer; this is for those that never get a name. */
const maxCalls = 4096;
const maxParsedChars = 16 * 1024 * 1024;

/** A few servers send arguments as an object instead of as text. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

/** Nine letters and digits: the form that every vendor takes back. */
function makeId(): string {
  return randomBytes(5).toString('hex').slice(0, 9);
}
