import { randomUUIDv7 } from 'node:crypto';
import type { Host } from '#chat/host/host.ts';
import { toCaller } from '#chat/telemetry/trace-context.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { type McpRequest, invalid, readText } from './methods.ts';
import { failed, presentCall } from './present.ts';
import { toFailure } from './rpc.ts';
import { resolveSearched } from './search.ts';

/** A call that was started: its id in Cerise, and its result. */
export interface StartedCall {
  id: string;
  done: Promise<JsonObject>;
}

/** The key of the question that shows our approval page. */
export const approvalKey = 'approval';

/**
 * Calls a tool for a program, like any other call. Approval is waited for only a limited time; then the call is
 * cancelled, so that nothing happens without the program knowing.
 */
export function startCall(host: Host, request: McpRequest, approvalsUrl: string): StartedCall {
  const id = randomUUIDv7();
  return { id, done: call(host, request, approvalsUrl, id) };
}

async function call(
  { limits }: Host,
  request: McpRequest,
  approvalsUrl: string,
  id: string,
): Promise<JsonObject> {
  const { door, asker, signal } = request;
  const meant = await readCall(request);
  if ('result' in meant) return meant.result;
  const wait = new Approval(request, approvalsUrl, limits.mcpApprovalTime);
  const abort = () => void door.abort(id).catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const ended = await door.call(
      await door.tool(meant.name),
      meant.args,
      {
        asker,
        onProgress: progressOf(request),
        onWaiting: (waiting) => wait.begin(waiting),
        signal,
        trace: traceOf(request),
      },
      id,
    );
    return wait.isGivenUp && ended.state === 'cancelled'
      ? failed(notApproved(approvalsUrl))
      : presentCall(ended, door);
  } catch (error) {
    return asResult(error);
  } finally {
    signal.removeEventListener('abort', abort);
    wait.end();
  }
}

/** The tool to call and its arguments; behind a search, possibly the search's result. */
async function readCall({ door, params, isSearched }: McpRequest) {
  const name = readText(params.name, 'name');
  const { arguments: args = {} } = params;
  if (!isJsonObject(args)) throw invalid('arguments');
  return isSearched ? resolveSearched(door, name, args) : { name, args };
}

const protocolCodes: ReadonlySet<ErrorCode> = new Set(['internal', 'tool_not_found'] as const);

/** A failure that a model can act on is a result; any other fails the request. */
function asResult(error: unknown): JsonObject {
  const failure = error instanceof CeriseError ? toFailure(error) : undefined;
  if (!failure || protocolCodes.has((error as CeriseError).code)) throw error;
  return failed(failure.message);
}

function notApproved(link: string): string {
  return `This call wasn't approved in time, so it didn't run. Make it again, then approve it at ${link}.`;
}

/** The trace that the program names for the call. */
function traceOf({ params }: McpRequest) {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return toCaller(meta['traceparent'], meta['tracestate']);
}

/** Reports progress to the program if it asked for that. */
function progressOf({ params, notify }: McpRequest) {
  const { progressToken } = isJsonObject(params._meta) ? params._meta : {};
  return (progress: { progress: number; total?: number; message?: string | undefined }) => {
    if (progressToken === undefined) return;
    const { total, message } = progress;
    notify('notifications/progress', {
      progressToken,
      progress: progress.progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  };
}

/** A call that waits for approval: a program that can show a page shows ours. */
class Approval {
  isGivenUp = false;
  readonly #request: McpRequest;
  readonly #url: string;
  readonly #timeMs: number;
  /** There once a person is asked: to abort one takes a stack trace. */
  #over: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: McpRequest, approvalsUrl: string, timeMs: number) {
    this.#request = request;
    this.#url = approvalsUrl;
    this.#timeMs = timeMs;
  }

  begin({ id, serverName, toolName }: ToolCallView): void {
    const { asker, door, signal } = this.#request;
    if (signal.aborted) return this.#giveUp(id);
    this.#timer = setTimeout(() => this.#giveUp(id), this.#timeMs).unref();
    const url = this.#url;
    const message = `Approve or deny ${toolName} of ${serverName} in Cerise.`;
    const params = { mode: 'url', message, url, elicitationId: id };
    if (!asker.can('elicitation/create', params)) {
      progressOf(this.#request)({ progress: 0, message: `Waiting for approval: ${url}` });
      return;
    }
    this.#over = new AbortController();
    asker.coming()({
      key: approvalKey,
      serverName: '',
      method: 'elicitation/create',
      params,
      answer: async ({ action }) => {
        if (action !== 'accept') await door.abort(id);
      },
      refuse: async () => undefined,
      over: this.#over.signal,
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over?.abort();
  }

  #giveUp(id: string): void {
    this.isGivenUp = true;
    void this.#request.door.abort(id).catch(() => undefined);
  }
}
