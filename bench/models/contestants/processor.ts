import { createStreamProcessor, fromWire, openAiChat } from '#library/stream.ts';
import type { ModelMessage, ModelRequest, StreamCallbacks } from '#library/stream.ts';
import { apiKey, capabilities, type Connect, question } from '../contestant.ts';

// The stream processor of the library on our wire, with every callback there is.

const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
const request: ModelRequest = {
  purpose: 'answer',
  system: '',
  parameters: {},
  tools: [],
  messages,
};

/** Each does the least that a callback can do. */
function everyCallback(count: () => void): StreamCallbacks {
  return {
    onLLMResponseCreated: count,
    onBlockCreated: count,
    onTextStart: count,
    onTextChunk: count,
    onTextComplete: count,
    onThinkingStart: count,
    onThinkingChunk: count,
    onThinkingComplete: count,
    onToolArgumentStreaming: count,
    onToolCallPending: count,
    onToolCallInProgress: count,
    onToolCallComplete: count,
    onExternalToolInProgress: count,
    onExternalToolComplete: count,
    onCitation: count,
    onImageCreated: count,
    onImageGenerated: count,
    onFileGenerated: count,
    onBlockComplete: count,
    onLLMResponseComplete: count,
    onError: count,
    onComplete: count,
    onCallbackError: count,
  } satisfies Required<StreamCallbacks>;
}

export const connect: Connect = ({ baseUrl }) => {
  const { signal } = new AbortController();
  const target = { baseUrl, apiKey, capabilities };
  return async (model) => {
    let calls = 0;
    const processor = createStreamProcessor(everyCallback(() => void (calls += 1)));
    const adapter = fromWire(openAiChat, { ...target, model });
    const { blocks, error } = await processor.read(adapter.stream(request, signal));
    if (error || calls === 0) throw new Error(error?.message ?? 'No callback was called.');
    return blocks.reduce((sum, { content }) => sum + content.length, 0);
  };
};
