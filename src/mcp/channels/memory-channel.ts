import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Channel, ChannelEvents } from '../protocol/channel.ts';
import { isRpcMessage, type RequestId, type RpcMessage } from '../protocol/messages.ts';

/** The end of the wire that a built-in server holds, in the shape the server library expects. */
interface ServerEnd {
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown, options?: { relatedRequestId?: RequestId | undefined }): Promise<void>;
  close(): Promise<void>;
}

/** A server that ships with Cerise, ready to be connected once. */
export interface BuiltinServer {
  connect(transport: ServerEnd): Promise<void>;
  close(): Promise<void>;
}

/** Joins us to a server in this process. Messages arrive in a later step, as they do elsewhere. */
export class MemoryChannel implements Channel {
  readonly kind = 'inMemory';
  readonly #create: () => Promise<BuiltinServer>;
  #server: BuiltinServer | undefined;
  #end: ServerEnd | undefined;
  #events: ChannelEvents | undefined;

  constructor(create: () => Promise<BuiltinServer>) {
    this.#create = create;
  }

  async open(events: ChannelEvents): Promise<void> {
    this.#events = events;
    const end: ServerEnd = {
      start: async () => undefined,
      send: async (message, options) => {
        queueMicrotask(() => {
          if (this.#events && isRpcMessage(message))
            this.#events.onMessage(message, options?.relatedRequestId);
        });
      },
      close: async () => this.#ended(),
    };
    this.#end = end;
    try {
      this.#server = await this.#create();
      await this.#server.connect(end);
    } catch (error) {
      throw error instanceof CeriseError ? error : notMade(error);
    }
  }

  send(message: RpcMessage): void {
    queueMicrotask(() => this.#end?.onmessage?.(message as never));
  }

  cancel(): boolean {
    return false;
  }

  agree(): void {
    // The eras differ in nothing that this channel does.
  }

  async close(): Promise<void> {
    this.#ended();
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  #ended(): void {
    const events = this.#events;
    const end = this.#end;
    this.#events = undefined;
    this.#end = undefined;
    end?.onclose?.();
    events?.onClose(
      new CeriseError('connection_lost', say('builtin-closed')`The built-in server was shut down.`),
    );
  }
}

function notMade(cause: unknown): CeriseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CeriseError(
    'connection_lost',
    say('builtin-not-made')`The server in memory couldn't be created: ${reason}`,
    { cause },
  );
}
