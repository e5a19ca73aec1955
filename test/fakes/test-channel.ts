import type { Agreement, Channel, ChannelEvents } from '#mcp/protocol/channel.ts';
import type { RequestId, RpcMessage, RpcRequest } from '#mcp/protocol/messages.ts';
import type { CeriseError } from '#shared/errors/errors.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';

/** A channel whose other end is the test: keeps what is sent, answers by a script. */
export class TestChannel implements Channel {
  readonly kind: Channel['kind'];
  readonly sent: RpcMessage[] = [];
  readonly cancelled: RequestId[] = [];
  agreement: Agreement | undefined;
  closed = false;
  /** Answers a request, or does nothing. */
  script: (request: RpcRequest, channel: TestChannel) => void = () => undefined;
  readonly #cancelTells: boolean;
  #events: ChannelEvents | undefined;

  constructor(kind: Channel['kind'] = 'stdio', cancelTells = false) {
    this.kind = kind;
    this.#cancelTells = cancelTells;
  }

  async open(events: ChannelEvents): Promise<void> {
    this.#events = events;
  }

  send(message: RpcMessage): void {
    this.sent.push(message);
    if ('method' in message && 'id' in message) queueMicrotask(() => this.script(message, this));
  }

  cancel(id: RequestId): boolean {
    this.cancelled.push(id);
    return this.#cancelTells;
  }

  agree(agreement: Agreement): void {
    this.agreement = agreement;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.#events?.onClose();
  }

  receive(message: RpcMessage): void {
    this.#events?.onMessage(message);
  }

  result(id: RequestId, result: unknown): void {
    this.receive({ jsonrpc: '2.0', id, result });
  }

  error(id: RequestId, code: number, message = 'no', data?: unknown): void {
    this.receive({ jsonrpc: '2.0', id, error: { code, message, data } });
  }

  fail(id: RequestId, error: CeriseError): void {
    this.#events?.onRequestFailed(id, CallError.of(error, 'left'));
  }

  end(error?: CeriseError): void {
    this.#events?.onClose(error);
  }

  methods(): string[] {
    return this.sent.map((message) => ('method' in message ? message.method : 'answer'));
  }
}
