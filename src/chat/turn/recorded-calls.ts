import { type CeriseError, type ErrorInfo, hintOf, messageOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Block, isVendorRun, type ToolBlock } from '#shared/vocabulary/block.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { RecordedCall, Tool, ToolResult } from '#shared/vocabulary/tool.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { ToolRegistry } from '#tools/registry/registry.ts';
import { loadStored } from '../calls/stored-results.ts';

interface RecordedCallsDeps {
  blobs: BlobPort;
  owner: string;
  /** Stops the turn where the recorded answer was stopped while a call ran. */
  onStopped?: () => void;
}

/**
 * The calls of an answer and what became of them, for a turn that is made again. A call is the recorded one with the
 * same tool and arguments; of several, the next.
 */
export class RecordedCalls {
  readonly #deps: RecordedCallsDeps;
  readonly #untaken = new Map<string, ToolBlock[]>();
  /** By the id of the call that takes the outcome of one. */
  readonly #taken = new Map<string, ToolBlock>();
  /** Calls that end with an outcome of their own before those that the stop of an answer cut. */
  readonly #ends = new Map<string, PromiseWithResolvers<void>>();

  constructor(blocks: readonly Block[], deps: RecordedCallsDeps) {
    this.#deps = deps;
    for (const block of blocks) {
      if (block.type !== 'tool' || block.client || isVendorRun(block)) continue;
      const key = keyOf(block, block.proposedArguments ?? block.arguments);
      this.#untaken.set(key, [...(this.#untaken.get(key) ?? []), block]);
    }
  }

  /** The same tools; none of them runs. */
  toolsOf(tools: readonly Tool[]): ToolRegistry {
    return new ToolRegistry(tools.map((tool) => this.#recorded(tool)));
  }

  /** The recorded call whose outcome a call has. */
  of(toolCallId: string): ToolBlock | undefined {
    return this.#taken.get(toolCallId);
  }

  #recorded(tool: Tool): Tool {
    // Nothing reaches a server: what its definition was approved as, and what it keeps, has no say.
    const { definitionHash: _, launchHash: __, ...rest } = tool;
    return {
      ...rest,
      recorded: (args, toolCallId) => this.#take(tool, args, toolCallId),
      execute: (_args, { callId }) => this.#outcome(callId),
    };
  }

  #take(tool: Tool, args: JsonObject, toolCallId: string): RecordedCall {
    const block = this.#untaken.get(keyOf(tool, args))?.shift();
    if (!block) return {};
    this.#taken.set(toolCallId, block);
    if (!this.#isCut(block) && block.state !== 'denied')
      this.#ends.set(toolCallId, Promise.withResolvers());
    return {
      ...(block.state === 'denied' && block.error && { denied: block.error }),
      ...(block.proposedArguments && { edits: block.arguments }),
      ...(block.untrusted && { untrusted: true }),
    };
  }

  async #outcome(toolCallId: string): Promise<ToolResult> {
    const block = this.#taken.get(toolCallId);
    if (!block) throw notRecorded();
    if (this.#isCut(block)) {
      await Promise.all(this.#ends.values().map(({ promise }) => promise));
      this.#deps.onStopped?.();
    }
    this.#ends.get(toolCallId)?.resolve();
    const { result, error, reach = 'ended' } = block;
    if (result) return loadStored(result, this.#deps.blobs, this.#deps.owner);
    throw error ? asThrown(error, reach) : notRecorded();
  }

  #isCut({ state }: ToolBlock): boolean {
    return (
      this.#deps.onStopped !== undefined && (state === 'cancelled' || state === 'outcome_unknown')
    );
  }
}

function keyOf(
  { serverId, toolName }: Pick<Tool, 'serverId' | 'toolName'>,
  args: JsonObject,
): string {
  return JSON.stringify([serverId, toolName, argumentsHash(args)]);
}

function asThrown(error: ErrorInfo, reach: NonNullable<ToolBlock['reach']>): CeriseError {
  const { code, details } = error;
  return new CallError(reach, code, messageOf(error), { hint: hintOf(error), details });
}

function notRecorded(): CeriseError {
  return new CallError(
    'never-left',
    'tool_failed',
    say('no-recorded-result')`No result was recorded for this call, so it wasn't run.`,
    { hint: say('no-recorded-result-hint')`Continue without it, or replay with live tools.` },
  );
}
