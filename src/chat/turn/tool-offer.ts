import { inspectSchema } from '#mcp/schema/schema-problem.ts';
import { CeriseError, errorInfo } from '#shared/errors/errors.ts';
import { say, toWords } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { AnswerShape, ModelMessage, ToolDialect } from '#shared/vocabulary/model.ts';
import type { Tool, ToolDefinition } from '#shared/vocabulary/tool.ts';
import { leave, type OmittedTool } from '#tools/formats/convert-tools.ts';
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

/** The server that calls of a program's own tools are shown under; there is none of this id. */
const clientServerId = 'client';

/** The same offer with tools of the program that asked; where names are equal, the program's tool is meant. */
export function withClientTools(
  offer: Offer,
  tools: readonly ToolDefinition[],
  dialect: ToolDialect = 'openai',
): Offer {
  if (tools.length === 0) return offer;
  for (const tool of tools) {
    // A stranger's schema, like that of a server.
    const { problem } = inspectSchema(tool.inputSchema);
    if (problem) throw notForModel(leave(tool, problem));
  }
  const own = new Map(tools.map((tool) => [tool.name, toClientTool(tool)]));
  const { tools: definitions, left } = toolDefinitionsFor(dialect, [...own.values()]);
  const [omitted] = left;
  if (omitted) throw notForModel(omitted);
  const beside = (known: ToolDefinition[]) => [
    ...known.filter(({ name }) => !own.has(name)),
    ...definitions,
  ];
  return {
    ...offer,
    definitions: beside(offer.definitions),
    withReadMore: beside(offer.withReadMore),
    resolve: (call) => {
      const tool = own.get(call.toolName);
      return tool ? { tool, arguments: call.arguments } : offer.resolve(call);
    },
    toHistory: (messages) => offer.toHistory(messages),
  };
}

/** The program counts on its tools: it is told where the model cannot have one. */
function notForModel({ name, reason, reasonSaid }: OmittedTool): CeriseError {
  return new CeriseError(
    'invalid_request',
    say(
      'client-tool-omitted',
    )`The model can't use the tool ${name}: ${toWords(reason, reasonSaid)}`,
    { details: [{ path: 'tools', message: '' }] },
  );
}

function toClientTool(tool: ToolDefinition): Tool {
  return {
    ...tool,
    kind: 'client',
    serverId: clientServerId,
    serverName: '',
    toolName: tool.name,
    annotations: {},
    trusted: false,
    execute: () => Promise.reject(new Error('a tool of a program runs there')),
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

/** A tool that must be called is called in the first round: in each, there would be no end. */
export function shapeOfRound(
  shape: AnswerShape | undefined,
  round: number,
  tools: readonly ToolDefinition[],
): AnswerShape | undefined {
  const choice = shape?.toolChoice;
  if (!shape || choice === undefined) return shape;
  const isFirst = round === 0 && tools.length > 0;
  if (isFirst && typeof choice === 'object' && !tools.some(({ name }) => name === choice.name))
    throw noSuchChoice(choice.name);
  if (isFirst) return shape;
  return { ...shape, toolChoice: shape.toolChoice === 'none' ? 'none' : undefined };
}

function noSuchChoice(name: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say(
      'tool-choice-unknown',
    )`tool_choice names ${name.slice(0, 100)}, which isn't one of the tools.`,
    { details: [{ path: 'tool_choice', message: '' }] },
  );
}

/** Whether tools were searched for in this message. */
export function hasSearchedTools({ blocks }: Message): boolean {
  return blocks.some(
    (block) => block.type === 'tool' && block.modelToolName === deferralNames.search,
  );
}
