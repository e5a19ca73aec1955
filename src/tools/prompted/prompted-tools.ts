import { tooLargeArguments } from '#shared/errors/arguments-size.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type {
  ModelAdapter,
  ModelMessage,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ToolDefinition, ToolResult } from '#shared/vocabulary/tool.ts';
import { flattenContent } from '../results/results.ts';
import { PromptedText, type TextPiece } from './prompted-text.ts';
import { tags } from './tags.ts';

/**
 * A model without function calling as one that has it: tools are told in the system prompt, calls are
 * read from its text and results given back as text. Thinking is never read.
 */
export function withPromptedTools(adapter: ModelAdapter, bounds: CallBounds): ModelAdapter {
  return {
    ...adapter,
    stream(request, signal) {
      if (request.tools.length === 0 && !hasCalls(request)) return adapter.stream(request, signal);
      return readCalls(adapter.stream(toPromptedRequest(request), signal), bounds);
    },
  };
}

/** The system prompt with what the tools are and how to call them. Equal tools give equal bytes. */
export function promptTools(system: string, tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return system;
  const lines = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, parameters: inputSchema }).replaceAll('</', '<\\/'),
  );
  const told = `# Tools

You can call tools. Each line between <tools> and </tools> describes one; "parameters" is the JSON Schema of its arguments.

<tools>
${lines.join('\n')}
</tools>

To call a tool, write exactly this, with the arguments as one JSON object:

${writeCall('the name of the tool', { argument: 'value' })}

Rules:
- Write one such element for each call; several may follow each other.
- Use only the tools above, with their exact names. Escape line breaks in strings as \\n.
- After your calls, stop. The results come in the next message inside ${tags.openResult}> elements. Never write these yourself.
- When no tool is needed, answer in plain words.`;
  return system === '' ? told : `${system}\n\n${told}`;
}

/** The history in words alone: calls stand in the answer's text, results in a message of the user. Pure. */
export function promptedHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const told: Extract<ModelMessage, { role: 'user' | 'assistant' }>[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const parts =
      message.role === 'tool' ? message.results.flatMap(tellResult) : message.parts.map(tellCall);
    const last = told.at(-1);
    // Many models want the two sides to take turns.
    if (last?.role === role) last.parts.push(...parts);
    else told.push({ role, parts });
  }
  return told;
}

function hasCalls({ messages }: ModelRequest): boolean {
  return messages.some(({ role }) => role === 'tool');
}

function toPromptedRequest(request: ModelRequest): ModelRequest {
  return {
    ...request,
    system: promptTools(request.system, request.tools),
    messages: promptedHistory(request.messages),
    tools: [],
  };
}

function writeCall(name: string, args: unknown): string {
  return `${tags.openCall}\n${JSON.stringify({ name, arguments: args })}\n${tags.closeCall}`;
}

function tellCall(part: ModelPart): ModelPart {
  if (part.type !== 'tool-call') return part;
  return { type: 'text', text: writeCall(part.toolName, part.arguments) };
}

function tellResult({ toolName, result }: { toolName: string; result: ToolResult }): ModelPart[] {
  const text = flattenContent(result).replaceAll(tags.closeResult, '<\\/tool_response>');
  const failed = result.isError ? ' error="true"' : '';
  const told = `${tags.openResult} name=${JSON.stringify(toolName)}${failed}>\n${text}\n${tags.closeResult}`;
  return [{ type: 'text', text: told }, ...result.content.flatMap(toMedia)];
}

function toMedia(part: ToolResult['content'][number]): ModelPart[] {
  if (part.type !== 'image' && part.type !== 'audio') return [];
  return [{ type: 'file', mimeType: part.mimeType, data: part.data }];
}

async function* readCalls(
  stream: AsyncIterable<Chunk[]>,
  bounds: CallBounds,
): AsyncGenerator<Chunk[]> {
  const reader = new ChunkReader(bounds);
  for await (const batch of stream) {
    const chunks = batch.flatMap((chunk) => reader.step(chunk));
    if (chunks.length > 0) yield chunks;
  }
}

/** How large a call may be, and how many there may be in a round. */
type CallBounds = { readonly argumentsPerCall: number; readonly partsPerRound: number };

/** Reads the text parts of one answer; every other chunk passes. */
class ChunkReader {
  readonly #bounds: CallBounds;
  #text: PromptedText | undefined;
  #textId = '';
  /** The part is over, but whether the stream went on well is known only with the next chunk. */
  #complete = false;
  #open: { type: 'text' | 'thinking'; id: string } | undefined;
  #parts = 0;
  #calls = 0;
  #chunks: Chunk[] = [];

  constructor(bounds: CallBounds) {
    this.#bounds = bounds;
  }

  step(chunk: Chunk): Chunk[] {
    if (this.#complete || (isText(chunk) && chunk.id !== this.#textId)) this.#end(chunk);
    switch (chunk.type) {
      case 'text-start':
        break;
      case 'text-delta':
        this.#text ??= new PromptedText(this.#bounds.argumentsPerCall);
        this.#textId = chunk.id;
        this.#take(this.#text.read(chunk.text));
        break;
      case 'text-complete':
        this.#complete = true;
        break;
      case 'response-complete':
        this.#end(chunk);
        this.#chunks.push(this.#calls > 0 ? withToolCalls(chunk) : chunk);
        break;
      case 'error':
        this.#end(chunk);
        this.#chunks.push(chunk);
        break;
      default:
        this.#chunks.push(chunk);
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #end(next: Chunk): void {
    if (this.#text) this.#take(this.#text.end(next.type === 'error'));
    this.#close();
    this.#text = undefined;
    this.#textId = isText(next) ? next.id : '';
    this.#complete = false;
  }

  #take(pieces: readonly TextPiece[]): void {
    for (const piece of pieces) {
      if (piece.type === 'text' || piece.type === 'thinking') this.#say(piece);
      else this.#callTool(piece);
    }
  }

  #say({ type, text }: { type: 'text' | 'thinking'; text: string }): void {
    const isFull = this.#open !== undefined && this.#parts >= this.#bounds.partsPerRound;
    if (this.#open?.type !== type && !isFull) {
      this.#close();
      this.#parts += 1;
      this.#open = { type, id: `${this.#textId}.${this.#parts}` };
      this.#chunks.push({ type: `${type}-start`, id: this.#open.id });
    }
    const open = this.#open;
    if (open) this.#chunks.push({ type: `${open.type}-delta`, id: open.id, text });
  }

  #close(): void {
    if (this.#open) this.#chunks.push({ type: `${this.#open.type}-complete`, id: this.#open.id });
    this.#open = undefined;
  }

  #callTool(piece: Extract<TextPiece, { type: 'call' | 'call-begun' }>): void {
    // What stands around calls that are not made any more is one text.
    if (this.#calls >= this.#bounds.partsPerRound) return;
    this.#close();
    this.#calls += 1;
    const { toolName } = piece;
    const callId = `prompted_${this.#calls}`;
    this.#chunks.push({ type: 'tool-created', callId, toolName });
    if (piece.type === 'call-begun') return;
    const { arguments: args, rawArguments, tooLarge } = piece;
    const problem = tooLarge && { problem: tooLargeArguments(this.#bounds.argumentsPerCall) };
    const call = { callId, toolName, arguments: args, rawArguments, ...problem };
    this.#chunks.push({ type: 'tool-pending', ...call });
  }
}

type TextChunk = Extract<Chunk, { type: 'text-start' | 'text-delta' | 'text-complete' }>;

function isText(chunk: Chunk): chunk is TextChunk {
  return (
    chunk.type === 'text-start' || chunk.type === 'text-delta' || chunk.type === 'text-complete'
  );
}

/** To the model without tools it was an ordinary end. */
function withToolCalls(chunk: Extract<Chunk, { type: 'response-complete' }>): Chunk {
  return chunk.finishReason === 'stop' ? { ...chunk, finishReason: 'tool-calls' } : chunk;
}
