import type { AnswerShape, ChosenParameters } from '#shared/vocabulary/model.ts';
import type { ToolDefinition, TraceContext } from '#shared/vocabulary/tool.ts';
import type { Run } from '#shared/api/v1-api.ts';
import type { CallWord } from './decide-calls.ts';

/** A piece of what a program said. A file comes with its bytes, in pieces, by the id of an upload, or by its address. */
export type BroughtPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mimeType: string; bytes: Uint8Array[]; name?: string | undefined }
  | { type: 'stored'; id: string }
  | { type: 'address'; url: string };

/** A call of an answer, as a program tells it. */
export interface BroughtCall {
  callId: string;
  toolName: string;
  /** As it was written. */
  arguments: string;
}

/** One entry of the history that a program brings. Whoever is said to have said it, the program did. */
export type Brought =
  | { role: 'user'; parts: BroughtPart[] }
  /** With `answerId` it only refers to an answer of ours. */
  | { role: 'assistant'; text: string; calls: BroughtCall[]; answerId?: string | undefined }
  | { role: 'tool'; callId: string; parts: BroughtPart[]; isError?: boolean };

/** A request of a program, whichever vendor's words it came in. */
export interface RunRequest {
  kind: Run['kind'];
  /** `provider/model` or `assistant/NAME`. */
  model: string;
  system: string;
  said: Brought[];
  /** The response that it continues, by the id of its run. */
  previous?: string | undefined;
  /** What the program says of calls that the response asked it about. */
  decisions?: CallWord[] | undefined;
  clientTools: ToolDefinition[];
  parameters: ChosenParameters;
  shape: AnswerShape;
  /** The servers whose tools are offered, by id or name; absent: those of the assistant. */
  servers?: string[] | undefined;
  /** What becomes of a call that has to be approved: it is refused, or waits, for a person or for the program. */
  approvals: 'refuse' | 'wait' | 'ask';
  /** It becomes a chat that is listed like any other. */
  asChat: boolean;
  /** The response can be read again for a long time. */
  stored: boolean;
  /** It goes on without anybody who reads it. */
  background: boolean;
  /** What has to be told of the request again. */
  asked: unknown;
}

/** How a request came, which tells whether it is a retry. */
export interface Arrival {
  /** Of everything that makes the request what it is. */
  bodyHash: string;
  /** The client says that it sends it again. */
  isRetry: boolean;
  /** Its `Idempotency-Key`. */
  requestKey?: string | undefined;
  /** The trace that it came with. */
  caller?: TraceContext | undefined;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}
