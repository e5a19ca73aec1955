import type { JsonObject } from './json.ts';

/** A field of a form, one of the flat kinds MCP allows; `values` are what may be chosen. */
export interface FormSchema {
  type: 'object';
  properties: Record<string, JsonObject>;
  required?: string[];
}

/** What a server may ask of the person (or of the model) while it works on a request of ours. */
export type ServerRequest =
  | { kind: 'form'; message: string; schema: FormSchema }
  | { kind: 'url'; message: string; url: string; elicitationId?: string }
  /** `params` are those of `sampling/createMessage`. */
  | { kind: 'sampling'; params: JsonObject }
  | { kind: 'roots' };

/** The answer to an elicitation. */
export interface ElicitationAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}

/** A message a model wrote for a server. */
export interface SamplingAnswer {
  role: 'assistant';
  content: JsonObject | JsonObject[];
  model: string;
  stopReason?: string;
}

/** A folder the person offers to a server. */
export interface Root {
  uri: string;
  name?: string;
}

/** Who asks, and for which call if that is known. */
export interface RequestContext {
  serverId: string;
  serverName: string;
  callId?: string;
  /** Names the question in its call, the same after a restart; absent: it ends with this process. */
  question?: string;
  /** Aborted when the answer is not wanted any more. */
  signal: AbortSignal;
}

/** What answers servers: the engine. Each may throw CeriseError; the server gets a general message. */
export interface RequestAnswers {
  elicit(
    request: Extract<ServerRequest, { kind: 'form' | 'url' }>,
    context: RequestContext,
  ): Promise<ElicitationAnswer>;
  sample(params: JsonObject, context: RequestContext): Promise<SamplingAnswer>;
  roots(context: RequestContext): Promise<Root[]>;
}
