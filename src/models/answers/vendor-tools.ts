import { truncate } from '#shared/text/text.ts';
import type { Citation } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { tidySources } from './provider-search.ts';

/** What is shown of the input of such a tool, and of what came out of it; in characters. */
const maxShownChars = 64 * 1024;
/** A longer text without a space is data that nobody reads. */
const maxDataChars = 4096;

/** What became of a tool that the vendor ran. */
export interface VendorOutcome {
  toolName: string;
  /** Where they were not known when it began. */
  arguments?: JsonObject;
  result?: ToolResult | undefined;
  citations?: Omit<Citation, 'number'>[];
}

interface OpenTool {
  toolName: string;
  arguments?: JsonObject;
}

/** The tools that a vendor runs itself in one answer: each begins once and ends once. */
export class VendorTools {
  readonly #put: (chunk: Chunk) => void;
  readonly #open = new Map<string, OpenTool>();

  constructor(put: (chunk: Chunk) => void) {
    this.#put = put;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** `server` is what the vendor calls the MCP server that it asks. */
  start(id: string, toolName: string, args?: JsonObject, server = ''): void {
    if (this.#open.has(id)) return;
    this.#open.set(id, { toolName });
    const shown = toolName || 'tool';
    const serverName = server !== '' && { serverName: server };
    const known = args && { arguments: args };
    this.#put({ type: 'vendor-tool-start', id, toolName: shown, ...known, ...serverName });
  }

  /** What a tool was given is known, what comes out of it is not. */
  note(id: string, args: JsonObject): void {
    const tool = this.#open.get(id);
    if (tool) tool.arguments = args;
  }

  end(id: string, { toolName, citations = [], result, ...told }: VendorOutcome): void {
    this.start(id, toolName);
    const args = told.arguments ?? this.#open.get(id)?.arguments;
    this.#open.delete(id);
    this.#put({
      type: 'vendor-tool-complete',
      id,
      ...(args && { arguments: args }),
      ...(result && { result }),
      citations: tidySources(citations),
    });
  }

  /** Ends what is open: nothing more will be told of it. */
  close(): void {
    for (const [id, tool] of this.#open) this.end(id, tool);
  }
}

/** Values as arguments that can be shown: without data that nobody reads, and none that say nothing. */
export function displayArguments(value: unknown, omit: readonly string[] = []): JsonObject {
  const given = isJsonObject(value) ? Object.entries(value) : [];
  const kept = given.filter(
    ([name, field]) => field !== undefined && field !== null && !omit.includes(name),
  );
  const args = withoutData(Object.fromEntries(kept)) as JsonObject;
  const json = JSON.stringify(args);
  return json.length <= maxShownChars ? args : { arguments: truncate(json, maxShownChars) };
}

/** What came out of a tool, in words; undefined when nothing did. */
export function displayResult(value: unknown, isError = isFailure(value)): ToolResult | undefined {
  const text = typeof value === 'string' ? value : (outputOf(value) ?? inWords(value));
  if (text === '') return undefined;
  const content = [{ type: 'text' as const, text: truncate(text, maxShownChars) }];
  return { content, ...(isError && { isError }) };
}

function inWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  const shown = withoutData(value);
  const isEmpty = typeof shown === 'object' && shown !== null && Object.keys(shown).length === 0;
  return isEmpty ? '' : JSON.stringify(shown, null, 2);
}

/** What a program wrote; undefined if this is no program's output. */
function outputOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { output, stdout, stderr, outputs } = value;
  const logs = (Array.isArray(outputs) ? outputs : []).map((each: unknown) =>
    isJsonObject(each) ? (each['logs'] ?? each['stdout']) : undefined,
  );
  const written = [output, stdout, stderr, ...logs].filter((text) => typeof text === 'string');
  return written.length === 0 ? undefined : written.filter((text) => text !== '').join('\n');
}

function isFailure(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { type, error_code: code, is_error: failed, error } = value;
  const isError = typeof type === 'string' && type.endsWith('_error');
  return failed === true || typeof code === 'string' || Boolean(error) || isError;
}

/** What is sealed or encoded is left out, with its length. */
function withoutData(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, field: unknown) => {
      if (typeof field !== 'string' || field.length <= maxDataChars) return field;
      const isData =
        /encrypted|base64|^data$|^result$/.test(name) || !/\s/.test(field.slice(0, maxDataChars));
      return isData ? `[${field.length} characters]` : field;
    }),
  ) as unknown;
}
