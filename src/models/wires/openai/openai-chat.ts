import type { Wire } from '../wire.ts';
import { OpenAiChatReader } from './openai-chat-reader.ts';
import { toChatRequest } from './openai-chat-request.ts';

/** Chat completions, as OpenAI and everyone compatible with it speak them. */
export const openAiChat: Wire = {
  name: 'openai-chat',
  toRequest: toChatRequest,
  createReader: (emit, bounds) => new OpenAiChatReader(emit, bounds),
};
