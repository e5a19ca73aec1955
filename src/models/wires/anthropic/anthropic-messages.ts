import type { Wire } from '../wire.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { toAnthropicRequest } from './anthropic-request.ts';

/** Anthropic's messages API, and what others offer in its form. */
export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  toRequest: toAnthropicRequest,
  createReader: (emit, bounds) => new AnthropicReader(emit, bounds),
};
