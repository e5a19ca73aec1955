import type { Message } from '../vocabulary/message.ts';
import type { CallStep, TraceContext, ToolCallState } from '../vocabulary/tool.ts';
import type { Usage } from '../vocabulary/usage.ts';

/** Which answer something belongs to, with the trace that its caller brought. Times are milliseconds since 1970. */
export interface AnswerRef {
  answerId: string;
  topicId: string;
  /** `provider/model` as it was chosen. */
  model: string;
  caller?: TraceContext | undefined;
}

/** An answer that ended, wherever it began. */
export interface TurnFact extends AnswerRef {
  status: Message['status'];
  startedAt: number;
  endedAt: number;
  usage?: Usage | undefined;
  /** The code of what it failed with. */
  error?: string | undefined;
}

/** One model request of an answer with the calls that followed from it. */
export interface RoundFact extends AnswerRef {
  round: number;
  startedAt: number;
  endedAt: number;
  /** The round of an earlier process, or on another host, that it goes on from. */
  resumes?: number | undefined;
}

/** A request to a model. */
export interface ModelFact {
  purpose: string;
  vendor?: string | undefined;
  model: string;
  /** Absent: it belongs to no answer. */
  within?: (AnswerRef & { round: number }) | undefined;
  /** What the model is told; asked for only where contents are wanted. */
  content?: () => unknown;
}

/** What became of a request to a model. */
export interface ModelEnd {
  usage?: Usage | undefined;
  finishReason?: string | undefined;
  error?: string | undefined;
  content?: () => unknown;
}

/** A request to a model while it runs. */
export interface ModelWatch {
  /** Something arrived. */
  received(chunks: number): void;
  end(result: ModelEnd): void;
}

/** Which call something is told of. */
export interface CallRef {
  toolCallId: string;
  topicId?: string | undefined;
  answerId?: string | undefined;
  serverId: string;
  serverName: string;
  toolName: string;
}

/** A tool call with its outcome. */
export interface CallFact extends CallRef {
  round: number;
  state: ToolCallState;
  /** The code of what it failed with; `tool_error` where the tool itself said so. */
  error?: string | undefined;
  createdAt: number;
  /** When a person decided on it, or the policy later than at once. */
  decidedAt?: number | undefined;
  endedAt: number;
  caller?: TraceContext | undefined;
  content?: () => { arguments: unknown; result: unknown };
}

/** A request to an MCP server. */
export interface McpRequestFact {
  serverId: string;
  serverType: string;
  /** `pipe`, `tcp` or `inproc`. */
  transport: string;
  method: string;
  requestId: number;
  /** The tool or prompt. */
  target?: string | undefined;
  protocolVersion?: string | undefined;
  /** The trace that it belongs to. */
  traceparent?: string | undefined;
}

/** A request to an MCP server on its way. */
export interface McpRequestWatch {
  /** What the server is told as its parent; absent: what the request says already. */
  traceparent?: string | undefined;
  /** `error` is the code of what it failed with. */
  end(error?: string): void;
}

/** Told what a host did, once it is over. Nothing of it may throw or wait. */
export interface Telemetry {
  turnEnded(turn: TurnFact): void;
  /** A call on its way; `durationMs` is how long it waited for a person, or for the connection. */
  callStepped(call: CallRef, step: CallStep | 'waiting' | 'approved', durationMs?: number): void;
  callEnded(call: CallFact): void;
  /** Absent where nobody counts or traces, so that nothing is measured in vain. */
  detail?: TelemetryDetail | undefined;
}

/** What is told of the parts of a turn. */
export interface TelemetryDetail {
  roundEnded(round: RoundFact): void;
  modelStarted(request: ModelFact): ModelWatch;
  requestStarted(request: McpRequestFact): McpRequestWatch;
}
