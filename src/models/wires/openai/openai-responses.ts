import type { Wire } from '../wire.ts';
import { OpenAiResponsesReader } from './openai-responses-reader.ts';
import { toResponsesRequest } from './openai-responses-request.ts';

/** OpenAI's responses API, used without anything being stored at the vendor. */
export const openAiResponses: Wire = {
  name: 'openai-responses',
  toRequest: toResponsesRequest,
  createReader: (emit, bounds) => new OpenAiResponsesReader(emit, bounds),
};
