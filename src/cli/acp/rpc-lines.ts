import { createInterface } from 'node:readline';
import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import { tellError } from '../messages/tell.ts';
import type { Io } from '../terminal/io.ts';

/** Handles a request, or a notification, whose result is dropped. */
export type RpcHandler = (params: unknown) => Promise<object>;

/** JSON-RPC in both directions, one message a line of standard input and output. */
export class RpcLines {
  readonly #io: Pick<Io, 'stdin' | 'stdout'>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #handlers: Readonly<Record<string, RpcHandler>> = {};
  #requests = 0;
  #isOver = false;

  constructor(io: Pick<Io, 'stdin' | 'stdout'>) {
    this.#io = io;
  }

  /** Handles messages until the input ends or the signal is aborted; then pending requests are rejected. */
  async run(handlers: Readonly<Record<string, RpcHandler>>, signal: AbortSignal): Promise<void> {
    this.#handlers = handlers;
    const lines = createInterface({ input: this.#io.stdin, signal });
    try {
      for await (const line of lines) {
        const message = parseJson(line);
        if (isJsonObject(message)) void this.#take(message);
      }
    } finally {
      this.#isOver = true;
      for (const { reject } of this.#waiting.values()) reject(programGone());
      this.#waiting.clear();
    }
  }

  /** Sends a request to the editor; rejects with its error. */
  async request(method: string, params: object): Promise<unknown> {
    if (this.#isOver) throw programGone();
    this.#requests += 1;
    const id = this.#requests;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#write({ id, method, params });
    return answer.promise;
  }

  notify(method: string, params: object): void {
    this.#write({ method, params });
  }

  async #take({ id, method, params, result, error }: JsonObject): Promise<void> {
    if (typeof method !== 'string') {
      const waiting = this.#waiting.get(Number(id));
      this.#waiting.delete(Number(id));
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(refusal(error));
      return;
    }
    const handler = Object.hasOwn(this.#handlers, method) ? this.#handlers[method] : undefined;
    const answer = await this.#answer(handler, method, params);
    if (id !== undefined) this.#write({ id, ...answer });
  }

  async #answer(
    handler: RpcHandler | undefined,
    method: string,
    params: unknown,
  ): Promise<{ result: object } | { error: { code: number; message: string } }> {
    if (!handler)
      return { error: { code: rpcCode.methodNotFound, message: `There is no method ${method}.` } };
    try {
      return { result: await handler(params) };
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      return { error: { code: codeOf(error), message: tellError(error) } };
    }
  }

  #write(message: object): void {
    if (this.#isOver) return;
    this.#io.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** Whose fault an error is, as programs tell it apart. */
function codeOf({ status }: CeriseError): number {
  if (status === 400) return rpcCode.invalidParams;
  return status === 404 ? rpcCode.resourceNotFound : rpcCode.internalError;
}

function programGone(): CeriseError {
  return new CeriseError(
    'connection_lost',
    say('cli-acp-editor-left')`The editor has disconnected.`,
  );
}

function refusal(error: unknown): CeriseError {
  const message = isJsonObject(error) ? JSON.stringify(error.message) : '';
  return new CeriseError(
    'conflict',
    say('cli-acp-editor-refused')`The editor couldn't do this: ${message}`,
  );
}
