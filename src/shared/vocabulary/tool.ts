import { z } from 'zod';
import type { ErrorInfo } from '../errors/errors.ts';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { sentenceRef, textOf, type Words } from '../errors/sentence.ts';
import { count, id } from './fields.ts';
import type { JsonObject } from './json.ts';
import { type Origin, originsSchema } from './origin.ts';
import { policyReasons, policyRuleSchema } from './policy-api.ts';

/** Where the whole of something large is kept: `/api/blobs/<id>`. */
export const blobRefSchema = z.object({
  id,
  /** In bytes. */
  size: count,
});
export type BlobRef = z.infer<typeof blobRefSchema>;

const stored = blobRefSchema.optional();
const optionalText = z.string().optional();
/**
 * One piece of a tool's result, in the words of MCP. Where it is `stored`, the part itself is a
 * preview: the head and the tail of a text, and media without their data.
 */
const contentPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), stored }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string(), stored }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: optionalText,
    description: optionalText,
    mimeType: optionalText,
    size: z.number().optional(),
  }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType: optionalText,
      text: optionalText,
      blob: optionalText,
    }),
    stored,
  }),
]);
/** One piece of a tool's result, in the words of MCP. */
export type ContentPart = z.infer<typeof contentPartSchema>;

/** What a tool answered. `isError` is the tool's own failure; transport failures are thrown. */
export const toolResultSchema = z.object({
  content: z.array(contentPartSchema).max(10_000),
  /** Any JSON value; an object in every revision before 2026-07-28. */
  structuredContent: z.unknown().optional(),
  /** In place of `structuredContent` where that is large: its JSON. */
  structuredStored: stored,
  isError: z.boolean().optional(),
  /** Where untrusted words in it came from; never given to a model. */
  origins: originsSchema.optional(),
  /** What is wrong with the result although the call succeeded; shown to the user and the model. */
  problem: optionalText,
  problemSaid: sentenceRefSchema.optional(),
  /** By what the text is known that a built-in tool failed with. */
  errorSaid: sentenceRefSchema.optional(),
});
/** What a tool answered; with `isError`, that it failed. */
export type ToolResult = z.infer<typeof toolResultSchema>;

/** Where a built-in tool tells by what the text is known that it failed with. */
export const sentenceKey = 'dev.cerise/said';

/** A result that says what is wrong with it. */
export function withProblem(result: ToolResult, problem: Words): ToolResult {
  const problemSaid = sentenceRef(problem);
  return { ...result, problem: textOf(problem), ...(problemSaid && { problemSaid }) };
}

/** Live progress of a running call. `ratio` is 0..1 where the server gave a total. */
export const toolProgressSchema = z.object({
  progress: z.number(),
  total: z.number().optional(),
  ratio: z.number().optional(),
  message: optionalText,
});
export type ToolProgress = z.infer<typeof toolProgressSchema>;

/** When a call got to its server; the first two where it had to connect first. */
export const callTimesSchema = z.object({
  connectingAt: z.number().optional(),
  connectedAt: z.number().optional(),
  sentAt: z.number().optional(),
  /** The first time that the server said how far it is. */
  progressAt: z.number().optional(),
});
export type CallTimes = z.infer<typeof callTimesSchema>;

/** The states of one call (design: tool call states). The last six are final. */
export const toolCallStates = [
  'proposed',
  'approved',
  'dispatching',
  'parked',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'denied',
  'outcome_unknown',
] as const;
/** Where a call stands. */
export type ToolCallState = (typeof toolCallStates)[number];

/**
 * How far a call came: it never left us, so that nothing happened; it left and its end was not heard, so
 * that nobody knows; or its end was heard. Only what never left may be made again.
 */
export const callReaches = ['never-left', 'left', 'ended'] as const;
export type CallReach = (typeof callReaches)[number];

/** How a finished call ended: the outcome that is recorded once. */
export type ToolOutcome = {
  /** Where untrusted words in its result or its error came from. */
  origins?: Origin[];
} & (
  | { reach: 'ended'; state: 'succeeded'; result: ToolResult; error?: undefined }
  | {
      reach: 'ended';
      state: 'failed' | 'cancelled' | 'timed_out';
      result?: ToolResult;
      error: ErrorInfo;
    }
  | {
      reach: 'left';
      state: 'failed' | 'cancelled' | 'timed_out' | 'outcome_unknown';
      result?: undefined;
      error: ErrorInfo;
    }
  | {
      reach: 'never-left';
      state: 'failed' | 'cancelled' | 'timed_out' | 'denied';
      result?: undefined;
      error: ErrorInfo;
    }
);

/** Hints a server gives about a tool. Untrusted unless the server is. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What a model is told about a tool. */
export interface ToolDefinition {
  /** Legal for every provider, unique in the request. */
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** The trace a request belongs to, as W3C Trace Context writes it. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

/**
 * Where a call stands that waits for answers or for a task of its server. Plain JSON that only its tool
 * reads; any process can go on from it.
 */
export type Continuation = JsonObject;

/** Aborts calls because the host ends, not because anybody wants them ended: what is parked stays so. */
export const shutdownReason = new Error('the host is shutting down');

/** How a call gets to its server; `connecting` and `connected` only where there was no connection. */
export type CallStep = 'connecting' | 'connected' | 'sent';

/** What a running call may use of its caller. */
export interface ToolContext {
  callId: string;
  signal: AbortSignal;
  onProgress(progress: ToolProgress): void;
  /** Told of each step when it is made; a step may be made more than once. */
  onStep?(step: CallStep): void;
  /** W3C trace context: tells the server what the call belongs to. */
  trace?: TraceContext;
  /** The call waits and can go on from here. Durable when it resolves; nothing is asked before. */
  onParked?(continuation: Continuation): Promise<void>;
  /** A parked call is to be sent again. Durable when it resolves; nothing is sent before. */
  onUnparked?(): Promise<void>;
  /** Goes on from here instead of calling again. */
  resume?: Continuation;
  /** Where the untrusted words came from that its arguments may hold; absent: they hold none. */
  origins?(): Promise<Origin[]>;
}

/** What became of a call when its turn was first made; nothing of it where no such call was made then. */
export interface RecordedCall {
  /** It was denied, and is again. */
  denied?: ErrorInfo;
  /** The arguments that a person had put in place of the model's. */
  edits?: JsonObject;
  /** It stood after untrusted words, or brought some. */
  untrusted?: true;
}

/** A tool the engine can run, whatever its route. Values of this are all that `chat` knows of tools. */
export interface Tool extends ToolDefinition {
  /** `client`: the program that asked for the answer runs it. */
  kind: 'native' | 'mcp' | 'client';
  serverId: string;
  serverName: string;
  /** The tool's own name on its server. */
  toolName: string;
  title?: string;
  annotations: ToolAnnotations;
  outputSchema?: JsonObject;
  /** True for servers that ship with Cerise or that the admin trusts. */
  trusted: boolean;
  /** What the server said of the tool when it was loaded; absent for tools that are not pinned. */
  definitionHash?: string;
  /** How its server was run or reached when the tool was loaded; absent for what ships with Cerise. */
  launchHash?: string;
  /** The owner of the server lets this tool run without asking. */
  autoApproved?: boolean;
  /** Every call needs an approval, whatever the rules say. */
  asks?: true;
  /** Its results come from a record: it does not run, and nobody is asked. */
  recorded?(args: JsonObject, toolCallId: string): RecordedCall;
  /**
   * A result with `isError` is the tool's own failure. Throws CallError, which says how far the call came,
   * or any other CeriseError where the tool itself ended with it.
   */
  execute(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

/** What the policy is asked. */
export interface PolicyCall {
  serverId: string;
  toolName: string;
  trusted: boolean;
  autoApproved?: boolean;
  asks?: true;
  annotations: ToolAnnotations;
  definitionHash?: string | undefined;
  arguments: JsonObject;
  argsHash: string;
  topicId?: string;
  /** The answer the call belongs to: what was read before it may taint it. */
  answerId?: string;
  /** Outside of any chat it may say which call of a chat is repeated. */
  callId?: string;
  owner: string;
}

/** Why a call asks, in words, and what those words were made of: a general reason or a rule. */
export const askReasonSchema = z.object({
  rule: z.string(),
  reason: z.enum(policyReasons).optional(),
  byRule: policyRuleSchema.optional(),
  /** The one host that the arguments name. */
  host: optionalText,
  /** Where the untrusted words came from, if they are the reason. */
  origins: originsSchema.optional(),
});
export type AskReason = z.infer<typeof askReasonSchema>;

/** What the policy answers, with the rule that gave it. */
export interface PolicyVerdict extends AskReason {
  action: 'allow' | 'ask' | 'deny';
  /** The rule of the owner that decided; absent where none did. */
  ruleId?: string;
  /** Why it is denied, where that is no rule. */
  code?: 'tool_changed';
  /** What the call brings comes from an untrusted source. */
  untrusted?: true;
}
