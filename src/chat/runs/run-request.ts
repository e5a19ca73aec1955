import type { AnswerShape, ChosenParameters } from '#shared/vocabulary/model.ts';
import type { ToolDefinition, TraceContext } from '#shared/vocabulary/tool.ts';
import type { Run } from '#shared/api/v1-api.ts';
import type { CallWord } from './decide-calls.ts';

/** A part of a program's message. A file has its bytes in pieces, the id of an upload, or a URL. */
export type BroughtPart =
  | { type: 'text'; text: string }
  | { type: 'file'; mimeType: string; bytes: Uint8Array[]; name?: string | undefined }
  | { type: 'stored'; id: string }
  | { type: 'address'; url: string };

/** A call of an answer, as a program repeats it. */
export interface BroughtCall {
  callId: string;
  toolName: string;
  /** As it was written. */
  arguments: string;
}

/** One entry of the history that a program sends. It is the program's word, whatever its role. */
export type Brought =
  | { role: 'user'; parts: BroughtPart[] }
  /** With `answerId` it only refers to an answer of ours. */
  | { role: 'assistant'; text: string; calls: BroughtCall[]; answerId?: string | undefined }
  | { role: 'tool'; callId: string; parts: BroughtPart[]; isError?: boolean };

/** A request of a program, in whichever API format it came. */
export interface RunRequest {
  kind: Run['kind'];
  /** `provider/model` or `assistant/NAME`. */
  model: string;
  system: string;
  said: Brought[];
  /** The response that it continues, by the id of its run. */
  previous?: string | undefined;
  /** The program's decisions on calls that the response asked about. */
  decisions?: CallWord[] | undefined;
  clientTools: ToolDefinition[];
  parameters: ChosenParameters;
  shape: AnswerShape;
  /** The servers whose tools are offered, by id or name; absent: those of the assistant. */
  servers?: string[] | undefined;
  /** A call that needs approval is refused, or waits for a person, or the program is asked. */
  approvals: 'refuse' | 'wait' | 'ask';
  /** It becomes a chat that is listed like any other. */
  asChat: boolean;
  /** The response can be read again for a long time. */
  stored: boolean;
  /** It continues without a reader. */
  background: boolean;
  /** What responses repeat of the request. */
  asked: unknown;
}

/** How a request arrived, which shows whether it is a retry. */
export interface Arrival {
  /** The hash of the whole request. */
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
