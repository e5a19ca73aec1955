import { errorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelMessage, ToolDialect } from '#shared/vocabulary/model.ts';
import type { Tool, ToolDefinition } from '#shared/vocabulary/tool.ts';
import { toolDefinitionsFor } from '#tools/formats/tool-definitions.ts';
import {
  deferHistory,
  type DeferOptions,
  deferralNames,
  deferTools,
  type ModelCall,
  type ResolvedCall,
} from '#tools/search/deferred-tools.ts';
import { readMoreName } from '../calls/read-more-note.ts';

/** What a model is told of the tools of a turn, and how its calls are understood. */
export interface Offer {
  /** The same array, and the same bytes, in every round. */
  definitions: ToolDefinition[];
  /** The same with the tool that reads more; for when there is more to read. */
  withReadMore: ToolDefinition[];
  /** What the model is told beside its system prompt. */
  note?: string;
  /** The tool a call really means, also where it goes through `call_tool`. */
  resolve(call: ModelCall): ResolvedCall;
  /** The history in the words of this offer. */
  toHistory(messages: ModelMessage[]): ModelMessage[];
}

interface OfferOptions extends DeferOptions {
  /** How the vendor wants schemas to be written. */
  dialect?: ToolDialect | undefined;
  /** Told of each tool the vendor has no words for. */
  onLeftOut?: (toolName: string, reason: string) => void;
}

/** Offers the tools themselves, or, where there are too many for the context, a search for them. */
export function makeOffer(
  tools: readonly Tool[],
  { dialect = 'openai', onLeftOut, ...options }: OfferOptions,
): Offer {
  const { deferred, offered, resolveDeferred } = deferTools(tools, options);
  const { tools: definitions, left } = toolDefinitionsFor(dialect, offered);
  for (const { name, reason } of left) onLeftOut?.(name, reason);
  return {
    // Where tools are deferred the few definitions never change; elsewhere one more is a burden.
    definitions: deferred ? definitions : withoutReadMore(definitions),
    withReadMore: definitions,
    resolve: resolveDeferred,
    toHistory: (messages) => (deferred ? deferHistory(messages, definitions) : messages),
  };
}

const usual = new WeakMap<ToolDefinition[], ToolDefinition[]>();

/** The same array for the same array, so that what is made of it can be kept. */
function withoutReadMore(definitions: ToolDefinition[]): ToolDefinition[] {
  const known = usual.get(definitions);
  if (known) return known;
  const made = definitions.filter(({ name }) => name !== readMoreName);
  usual.set(definitions, made);
  return made;
}

/** The same turn when the model has to answer without tools. */
export function withoutTools(offer: Offer): Offer {
  const resolve = ({ toolName }: ModelCall): ResolvedCall => ({
    problem: errorInfo(
      'tool_not_found',
      say('no-such-tool')`There is no tool named ${toolName.slice(0, 100)}.`,
      { hint: say('answer-without-tools')`Answer without tools.` },
    ),
  });
  return { ...offer, definitions: [], withReadMore: [], note: noTools, resolve };
}

const noTools =
  'Tools can no longer be used in this answer. Answer the user now with what you know, and say what could not be done and why.';

/** Whether tools were searched for in this message. */
export function hasSearchedTools({ blocks }: Message): boolean {
  return blocks.some(
    (block) => block.type === 'tool' && block.modelToolName === deferralNames.search,
  );
}
