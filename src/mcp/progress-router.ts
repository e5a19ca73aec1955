import type { Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { truncate } from '#shared/text.ts';
import type { ToolProgress } from '#shared/tool.ts';

const longestMessage = 1000;

const notificationSchema = z.object({
  method: z.literal('notifications/progress'),
  params: z.object({
    progressToken: z.union([z.string(), z.number()]),
    progress: z.number(),
    total: z.number().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
  }),
});

/**
 * Takes progress to its call at the moment it arrives. The SDK hands it on a little later and has
 * forgotten the call by then if the answer was right behind.
 */
export class ProgressRouter {
  readonly #listeners = new Map<string | number, (progress: ToolProgress) => void>();
  #lastToken = 0;

  /** Must be called before the SDK takes the transport; the SDK then calls us first. */
  attach(transport: Transport): void {
    Object.assign(transport, { onmessage: (message: unknown) => this.#receive(message) });
  }

  /** A token to send with a request; progress for it goes to the listener until it is disposed. */
  open(listener: (progress: ToolProgress) => void): Disposable & { token: number } {
    const token = ++this.#lastToken;
    this.#listeners.set(token, listener);
    return { token, [Symbol.dispose]: () => void this.#listeners.delete(token) };
  }

  #receive(message: unknown): void {
    if (this.#listeners.size === 0 || !isProgress(message)) return;
    const parsed = notificationSchema.safeParse(message);
    if (!parsed.success) return;
    const { progressToken, ...progress } = parsed.data.params;
    this.#listeners.get(progressToken)?.(toToolProgress(progress));
  }
}

function isProgress(message: unknown): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'method' in message &&
    message.method === 'notifications/progress'
  );
}

function toToolProgress(given: Omit<ToolProgress, 'ratio'>): ToolProgress {
  const { progress, total, message } = given;
  const ratio = total ? Math.min(1, Math.max(0, progress / total)) : undefined;
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(ratio !== undefined && { ratio }),
    ...(message && { message: truncate(message, longestMessage) }),
  };
}
