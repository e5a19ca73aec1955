import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type {
  CallStep,
  Continuation,
  ToolProgress,
  TraceContext,
} from '#shared/vocabulary/tool.ts';
import type { Catalog } from '../connection/catalog.ts';
import type { Connection } from '../connection/connection.ts';
import type { Stop } from '../protocol/stop.ts';

/** A call to one tool. `callId` names it for `abortTool`. */
export interface ToolCallRequest {
  serverId: string;
  name: string;
  /** What the tool was when it was chosen; a server that says otherwise by now is not called. */
  definitionHash?: string;
  arguments: JsonObject;
  callId: string;
  /** Aborted with `shutdownReason` a call that is parked is left to its server as it is. */
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
  onStep?: (step: CallStep) => void;
  /** Seconds the call may take where the server's config sets none. */
  timeout?: number;
  /** W3C trace context that goes to the server. */
  trace?: TraceContext;
  /** The call waits and can go on from here; awaited before anything is asked. */
  onParked?: (continuation: Continuation) => Promise<void>;
  /** A parked call is to be sent again; awaited before that. */
  onUnparked?: () => Promise<void>;
  /** Goes on from here instead of calling again. */
  resume?: Continuation;
  /** Of untrusted words in the arguments; only servers that ship with Cerise are told. */
  origins?: () => Promise<Origin[]>;
}

/** What a call needs of its server. */
export interface CallDeps {
  record: ServerRecord;
  limits: Limits;
  /** The connection that was open when the call began, if there was one. */
  connection: Connection | undefined;
  connect: () => Promise<Connection>;
  catalog: Catalog;
  /** Aborted by `abortTool` and when the server is stopped. */
  stop: Stop;
  logger: Logger;
  answers: RequestAnswers | undefined;
}
