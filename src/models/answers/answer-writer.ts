import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Citation } from '#shared/vocabulary/block.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { AnswerBudget, AnswerFull, type AnswerBounds, shortName } from './answer-bounds.ts';
import { isPcm, Sound } from './sound.ts';
import { parseArguments } from './tool-arguments.ts';
import { type VendorOutcome, VendorTools } from './vendor-tools.ts';

type Source = Omit<Citation, 'number'>;

/**
 * Writes the chunks of one answer, handed to `emit` as soon as they are known. Whatever order a
 * vendor sends things in, starts and completes balance and call ids are unique. An answer without end
 * is cut: its calls by `AnswerFull` and an end in good order, its words by an error.
 */
export class AnswerWriter {
  begun = false;
  finished = false;
  /** True once the model said something or called a tool; thinking alone is no answer. */
  answered = false;
  /** True if it was ended here, and not by the vendor: the rest of it is not wanted. */
  isFull = false;
  readonly #budget: AnswerBudget;
  readonly #emit: (chunk: Chunk) => void;
  readonly #text = new Set<string>();
  readonly #thinking = new Map<string, OpenThinking>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #vendorTools = new VendorTools((chunk) => this.#put(chunk));
  #queries: string[] = [];
  readonly #sources = new Map<string, Source>();
  /** Sources that a search has shown already. */
  readonly #shown = new Set<string>();
  readonly #textSignatures = new Map<string, string>();
  #sound: Sound | undefined;
  #files = 0;

  constructor(emit: (chunk: Chunk) => void, bounds?: AnswerBounds) {
    this.#emit = emit;
    this.#budget = new AnswerBudget(bounds);
  }

  /** Counts characters that a reader keeps for the vendor, or to show later. Throws if it is too much. */
  keep(length: number): void {
    this.#budget.text(length);
  }

  textDelta(id: string, text: string): void {
    if (text === '') return;
    this.answered = true;
    this.#budget.text(text.length);
    if (!this.#text.has(id)) {
      this.#budget.part();
      this.#text.add(id);
      this.#put({ type: 'text-start', id });
    }
    this.#put({ type: 'text-delta', id, text });
  }

  /** Keeps what the vendor wants back with this text; a later one replaces it. */
  textSign(id: string, signature: string): void {
    if (!this.#text.has(id)) return;
    this.#budget.text(signature.length - (this.#textSignatures.get(id)?.length ?? 0));
    this.#textSignatures.set(id, signature);
  }

  textEnd(id: string): void {
    if (!this.#text.delete(id)) return;
    const signature = this.#textSignatures.get(id);
    this.#textSignatures.delete(id);
    this.#put({ type: 'text-complete', id, ...(signature !== undefined && { signature }) });
  }

  thinkingDelta(id: string, text: string): void {
    if (text === '') return;
    this.#budget.text(text.length);
    this.#showThinking(id, this.#openThinking(id));
    this.#put({ type: 'thinking-delta', id, text });
  }

  /** Keeps what the vendor wants back with this thinking; a later one replaces it. */
  thinkingSign(id: string, signature: string): void {
    const open = this.#openThinking(id);
    this.#budget.text(signature.length - (open.signature?.length ?? 0));
    open.signature = signature;
  }

  /** Thinking without text is kept only for its signature. */
  thinkingEnd(id: string): void {
    const open = this.#thinking.get(id);
    if (!open) return;
    this.#thinking.delete(id);
    const { signature } = open;
    if (!open.shown && signature === undefined) return;
    this.#showThinking(id, open);
    this.#put({ type: 'thinking-complete', id, ...(signature !== undefined && { signature }) });
  }

  /** Begins a call and gives the id it has from here on: another one where the vendor's is taken. */
  callStart(vendorId: string, givenName: string): string {
    if (!this.#budget.hasPart()) this.#end();
    const ownId = shortName(vendorId);
    const toolName = shortName(givenName);
    let callId = ownId;
    for (let n = this.#calls.size + 1; this.#calls.has(callId); n += 1) callId = `${ownId}-${n}`;
    this.answered = true;
    this.#calls.set(callId, { toolName, input: '', size: 0, whole: false });
    this.#put({ type: 'tool-created', callId, toolName });
    return callId;
  }

  callDelta(callId: string, text: string): void {
    const call = this.#calls.get(callId);
    if (!call || call.whole || text === '') return;
    if (!this.#take(call, text)) return;
    call.input += text;
    this.#put({ type: 'tool-input-delta', callId, text });
  }

  /** The whole input, which counts unless it is streamed as well. */
  callGiven(callId: string, input: string): void {
    const call = this.#calls.get(callId);
    if (call && !call.whole && input !== '' && this.#take(call, input)) call.given = input;
  }

  /** What a call has for its input so far; empty where that is more than it may be. */
  callInput(callId: string): string {
    return this.#calls.get(callId)?.input ?? '';
  }

  /** Counts input that cannot be written yet; false where a call has more than it may have. */
  callHeld(callId: string, text: string): boolean {
    const call = this.#calls.get(callId);
    return call !== undefined && !call.problem && this.#take(call, text);
  }

  /** The name was not whole; it is told again where the call ends. */
  callRename(callId: string, toolName: string): void {
    const call = this.#calls.get(callId);
    if (call && !call.whole) call.toolName = shortName(toolName);
  }

  /** What was streamed of a call is not its input: this is. */
  callCorrect(callId: string, input: string): void {
    const call = this.#calls.get(callId);
    if (call && !call.problem) call.input = input;
  }

  /** Ends a call with what was streamed, or with `input` where nothing was. */
  callEnd(callId: string, input = '{}', signature?: string): void {
    const call = this.#calls.get(callId);
    if (!call || call.whole) return;
    if (call.input === '' && !call.problem) {
      if (call.given !== undefined) call.input = call.given;
      else if (input === '{}' || this.#take(call, input)) call.input = input;
    }
    call.given = undefined;
    if (signature !== undefined) this.#budget.text(signature.length);
    call.whole = true;
    const { input: rawArguments, problem = this.#budget.tooLarge(rawArguments) } = call;
    call.input = '';
    this.#put({
      type: 'tool-pending',
      callId,
      toolName: call.toolName,
      arguments: problem ? null : parseArguments(rawArguments),
      rawArguments: problem ? '' : rawArguments,
      ...(problem && { problem }),
      ...(signature !== undefined && { signature }),
    });
  }

  /** A tool that the vendor runs itself begins. */
  vendorStart(vendorId: string, toolName: string, args?: JsonObject, server?: string): void {
    const id = this.#vendorId(vendorId);
    const named = server === undefined ? undefined : shortName(server);
    this.#vendorTools.start(id, shortName(toolName), this.#counted(args), named);
  }

  /** What it was given is known only now. */
  vendorInput(vendorId: string, args: JsonObject): void {
    this.#vendorTools.note(this.#vendorId(vendorId), this.#counted(args) ?? {});
  }

  /** It has ended. One that brought something, or showed what it did, is a part of an answer. */
  vendorEnd(vendorId: string, outcome: VendorOutcome): void {
    const id = this.#vendorId(vendorId);
    if (outcome.result ?? outcome.arguments?.['code']) this.answered = true;
    this.#counted(outcome.arguments);
    this.#counted(outcome.result);
    for (const source of outcome.citations ?? []) this.#shown.add(keyOf(source));
    this.#vendorTools.end(id, { ...outcome, toolName: shortName(outcome.toolName) });
  }

  /** What the vendor searched for, where it tells no more of it than that. */
  searched(queries: readonly string[]): void {
    if (this.#queries.length === 0) this.#queries = queries.slice(0, maxQueries).map(shortName);
  }

  /**
   * Notes a source of the answer, or what was not known of it; those that no search has shown are
   * shown where the answer ends.
   */
  source(source: Source): void {
    const key = keyOf(source);
    const known = this.#sources.get(key);
    if (key === '' || (!known && this.#sources.size >= maxSources)) return;
    if (!known) this.#budget.text(JSON.stringify(source).length);
    this.#sources.set(key, { ...source, ...known });
  }

  /** Something that the model made. Raw sound comes in pieces: it is one file, where it ends. */
  file(givenType: string, data: string, more: FileFacts = {}): void {
    const mimeType = shortName(givenType);
    this.answered = true;
    this.#budget.media(data.length);
    this.#budget.text((more.signature ?? '').length);
    if (isPcm(mimeType)) {
      if (!this.#sound) this.#budget.part();
      this.#sound ??= new Sound(mimeType);
      return this.#sound.add(data);
    }
    this.#endSound();
    this.#budget.part();
    this.#putFile(mimeType, data, more);
  }

  #putFile(mimeType: string, data: string, more: FileFacts = {}): void {
    const id = `file-${this.#files}`;
    this.#files += 1;
    const { name, signature } = more;
    if (!mimeType.startsWith('image/')) {
      return this.#put({ type: 'file-complete', id, mimeType, data, ...(name && { name }) });
    }
    this.#put({ type: 'image-created', id });
    const signed = signature !== undefined && { signature };
    this.#put({ type: 'image-complete', id, mimeType, data, ...signed });
  }

  /** The last chunk. Some vendors say `stop` although they have called tools. */
  finish(reason: FinishReason, usage?: Usage): void {
    if (this.finished) return;
    for (const callId of this.#calls.keys()) this.callEnd(callId);
    this.close();
    this.finished = true;
    const finishReason = reason === 'stop' && this.#calls.size > 0 ? 'tool-calls' : reason;
    this.#put({ type: 'response-complete', finishReason, ...(usage && { usage }) });
  }

  /** Completes what is open, except calls: one that was cut is none. */
  close(): void {
    if (this.finished) return;
    for (const id of this.#thinking.keys()) this.thinkingEnd(id);
    for (const id of this.#text) this.textEnd(id);
    this.#endSound();
    this.#vendorTools.close();
    const rest = [...this.#sources.values()].filter((source) => !this.#shown.has(keyOf(source)));
    this.#sources.clear();
    const hasSearched = this.#queries.length > 0;
    if (rest.length === 0 && (!hasSearched || this.#shown.size > 0)) return;
    const queries = hasSearched && { arguments: { queries: this.#queries } };
    this.#queries = [];
    this.#vendorTools.end('sources', { toolName: 'web_search', ...queries, citations: rest });
  }

  #endSound(): void {
    const wave = this.#sound?.toWave();
    this.#sound = undefined;
    if (wave !== undefined) this.#putFile('audio/wav', wave);
  }

  /** Counts what a call was given; false if it has more than it may have. */
  #take(call: OpenCall, input: string): boolean {
    call.size += input.length;
    const refused = this.#budget.arguments(call.size, input.length);
    if (!refused) return true;
    call.problem ??= refused.problem;
    call.input = '';
    call.given = undefined;
    if (refused.isFull) this.#end();
    return false;
  }

  /** Nothing more of this answer is wanted; the calls that are whole can still be made. */
  #end(): never {
    this.isFull = true;
    this.finish('tool-calls');
    throw new AnswerFull('the answer is full');
  }

  /** Its id as it is kept; one that is new is one more part. */
  #vendorId(vendorId: string): string {
    const id = shortName(vendorId);
    if (!this.#vendorTools.has(id)) this.#budget.part();
    return id;
  }

  #counted<T extends object>(shown: T | undefined): T | undefined {
    if (shown) this.#budget.text(JSON.stringify(shown).length);
    return shown;
  }

  #put(chunk: Chunk): void {
    if (!this.begun) {
      this.begun = true;
      this.#emit({ type: 'response-created' });
    }
    this.#emit(chunk);
  }

  #openThinking(id: string): OpenThinking {
    let open = this.#thinking.get(id);
    if (!open) {
      this.#budget.part();
      this.#thinking.set(id, (open = { shown: false }));
    }
    return open;
  }

  #showThinking(id: string, open: OpenThinking): void {
    if (open.shown) return;
    open.shown = true;
    this.#put({ type: 'thinking-start', id });
  }
}

/** By what a source is known: its address, or its title where it has none. */
function keyOf({ url, title = '' }: Source): string {
  return url ?? title;
}

/** What else is told of a file. */
interface FileFacts {
  name?: string | undefined;
  signature?: string | undefined;
}

interface OpenThinking {
  shown: boolean;
  signature?: string;
}

interface OpenCall {
  toolName: string;
  input: string;
  /** The whole of it, told before anything was streamed. */
  given?: string | undefined;
  /** Of everything that came, also where it is not kept. */
  size: number;
  whole: boolean;
  /** Why it cannot be made, whatever it says. */
  problem?: ErrorInfo;
}

/** More sources are never shown. */
const maxSources = 500;
const maxQueries = 20;
