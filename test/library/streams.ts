// Streaming blocks as a library: callbacks, a block manager with a store, and makers of blocks.
import assert from 'node:assert/strict';
import {
  BlockManager,
  type BlockStore,
  BlockStatuses,
  BlockTypes,
  type Chunk,
  createCallbacks,
  createCitationBlock,
  createStreamProcessor,
  createToolBlock,
  fromLanguageModel,
  fromModelStream,
  MemoryBlocks,
  type ModelAdapter,
  type StreamCallbacks,
} from 'cerise/stream';
import { type Conversation, getUserMessage, type Message, reduceMessage } from 'cerise/shared';

const said: string[] = [];
const callbacks: StreamCallbacks = {
  onTextStart: () => said.push('text'),
  onTextChunk: (delta) => said.push(delta),
  onTextComplete: (text) => said.push(`= ${text}`),
  onThinkingChunk: (delta) => said.push(`(${delta})`),
  onToolCallPending: ({ toolName, arguments: args }) =>
    said.push(`${toolName} ${JSON.stringify(args)}`),
  onToolCallComplete: ({ status }) => said.push(status),
  onExternalToolComplete: ({ toolName }) => said.push(toolName),
  onCitation: (citations) => said.push(citations.map(({ number }) => `[${number}]`).join('')),
  onImageGenerated: ({ mimeType }) => said.push(`${mimeType}`),
  onLLMResponseComplete: ({ finishReason }) => said.push(`${finishReason}`),
  onBlockComplete: ({ type }) => said.push(`/${type}`),
  onError: ({ code }) => said.push(code),
  onComplete: (status) => said.push(status),
};
const chunks: Chunk[] = [
  { type: 'thinking-delta', id: '0', text: 'hm' },
  { type: 'thinking-complete', id: '0' },
  { type: 'vendor-tool-start', id: 's', toolName: 'web_search' },
  { type: 'vendor-tool-complete', id: 's', citations: [{ url: 'https://a.example' }] },
  { type: 'text-delta', id: '1', text: 'Hel' },
  { type: 'text-delta', id: '1', text: 'lo' },
  { type: 'text-complete', id: '1' },
  { type: 'image-created', id: 'i' },
  { type: 'image-complete', id: 'i', mimeType: 'image/png', data: 'AQID' },
  { type: 'response-complete', finishReason: 'stop' },
];
const expected =
  '(hm) /thinking web_search /tool [1] /citation text Hello = Hello /main_text image/png /image stop success';

// Fed by chunks of one's own, in whatever pieces they come.
createStreamProcessor(callbacks).process(chunks);
said.length = 0;
const model: ModelAdapter = {
  async *stream() {
    yield chunks;
  },
};
// Fed by a model.
const asked = {
  purpose: 'answer' as const,
  system: '',
  messages: [],
  tools: [],
  parameters: {},
};
const { blocks } = await createStreamProcessor(callbacks).read(
  model.stream(asked, AbortSignal.timeout(10_000)),
);
assert.equal(said.join(' '), expected);
assert.deepEqual(
  blocks.map(({ type }) => type),
  ['thinking', 'tool', 'citation', 'main_text', 'image'],
);

// Its calls run by the program, which names each as its block does, before the processor ends.
const states: string[] = [];
const waiting: string[] = [];
const running = createStreamProcessor({
  onToolCallPending: ({ toolCallId }) => waiting.push(toolCallId),
  onToolCallInProgress: ({ state }) => states.push(state),
  onToolCallComplete: ({ status, result }) => states.push(status, String(result?.content.length)),
});
const proposed = { callId: 'call_0', toolName: 'look', arguments: {}, rawArguments: '{}' };
running.process({ type: 'tool-pending', ...proposed });
running.process({ type: 'response-complete', finishReason: 'tool-calls' });
for (const callId of waiting) {
  running.process({ type: 'tool-in-progress', callId });
  running.process({ type: 'tool-complete', callId, result: { content: [] } });
}
assert.equal(running.finish().finishReason, 'tool-calls');
assert.deepEqual(states, ['dispatching', 'success', '0']);

// Fed by `doStream` of a model of the AI SDK, and by the adapter around one.
const sdkModel = {
  async doStream(_options: { prompt: unknown }) {
    const stream = new ReadableStream<object>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-delta', id: 't', delta: 'From the SDK' });
        controller.enqueue({ type: 'finish', finishReason: { unified: 'stop' }, usage: {} });
        controller.close();
      },
    });
    return { stream };
  },
};
const texts: string[] = [];
const keep: StreamCallbacks = { onTextComplete: (text) => texts.push(text) };
const { stream } = await sdkModel.doStream({ prompt: [] });
await createStreamProcessor(keep).read(fromModelStream(stream));
const adapter = fromLanguageModel(sdkModel);
await createStreamProcessor(keep).read(adapter.stream(asked, AbortSignal.timeout(10_000)));
assert.deepEqual(texts, ['From the SDK', 'From the SDK']);

// What a callback throws harms nobody.
const careless: StreamCallbacks = {
  onTextChunk: () => {
    throw new Error('oops');
  },
  onBlockComplete: () => Promise.reject(new Error('oops, later')),
};
assert.equal(
  (await createStreamProcessor(careless).read(model.stream(asked, AbortSignal.any([])))).error,
  undefined,
);

// Kept by the reducer, and by a store of one's own.
const memory = new MemoryBlocks('answer');
const events: string[] = [];
const own: BlockStore = {
  append: (event) => events.push(event.type),
  appendDelta: (_message, _block, offset, text) => events.push(`${offset}+${text.length}`),
};
for (const [store, message] of [
  [memory, memory.message],
  [own, { id: 'own', blocks: [] }],
] as const) {
  const blockManager = new BlockManager(store, message);
  const processor = createStreamProcessor(
    createCallbacks({ blockManager, onTextChunk: (delta) => texts.push(delta) }),
  );
  processor.process(chunks);
  processor.finish();
}
assert.deepEqual(
  memory.blocks.map(({ id, status }) => `${id} ${status}`),
  blocks.map((_, at) => `answer.${at} success`),
);
assert.equal(events.filter((each) => each === 'block-end').length, blocks.length);

// Values, makers of blocks, and the question of an answer.
const tool = createToolBlock('m', 'call-1', { toolName: 'search', arguments: { q: 'x' } });
assert.deepEqual([tool.type, tool.status], [BlockTypes.tool, BlockStatuses.pending]);
const cited = createCitationBlock('m', [{ number: 1, url: 'https://a.example' }], { ordinal: 1 });
assert.equal(cited.id, 'm.1');
const message = (id: string, role: Message['role'], parentId: string | null): Message => ({
  id,
  topicId: 't',
  parentId,
  role,
  status: 'pending',
  createdAt: 0,
  blocks: [],
});
const messages = [message('q', 'user', null), message('m', 'assistant', 'q')];
const conversation: Pick<Conversation, 'messages'> = { messages };
assert.equal(getUserMessage(conversation, 'm')?.id, 'q');
const [, answer] = messages;
assert(answer);
const started = { type: 'block-start', messageId: 'm', blockId: tool.id, block: tool } as const;
assert.equal(reduceMessage(answer, started).blocks[0]?.id, tool.id);
console.log('ok');
