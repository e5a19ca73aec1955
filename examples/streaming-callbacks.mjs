// Hears of everything that a model says, block by block. The chunks could come from any model.
import { createStreamProcessor } from 'cerise/stream';

async function* chunks() {
  yield [{ type: 'thinking-delta', id: '1', text: 'A greeting is due.' }];
  yield [{ type: 'thinking-complete', id: '1' }];
  yield [{ type: 'text-delta', id: '2', text: 'Hello ' }];
  yield [{ type: 'text-delta', id: '2', text: 'there' }];
  yield [{ type: 'response-complete', finishReason: 'stop' }];
}

const processor = createStreamProcessor({
  onThinkingComplete: (text) => console.log('thought:', text),
  onTextChunk: (delta) => console.log('text:', delta),
  onComplete: (status, blocks) => console.log(status, blocks.map(({ type }) => type).join()),
});
await processor.read(chunks());
