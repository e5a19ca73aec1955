// Keeps the blocks of an answer in a store of your own; here, a Map.
import { BlockManager, createCallbacks, createStreamProcessor } from 'cerise/stream';

const rows = new Map();
const store = {
  append(event) {
    const row = rows.get(event.blockId);
    if (event.type === 'block-start') rows.set(event.blockId, { ...event.block });
    else if (event.type === 'block-end') Object.assign(row, event.patch, { status: event.status });
    else if (event.type === 'block-update') Object.assign(row, event.patch);
  },
  appendDelta(_messageId, blockId, _offset, text) {
    rows.get(blockId).content += text;
  },
};

const blockManager = new BlockManager(store, { id: 'answer-1', blocks: [] });
const processor = createStreamProcessor(createCallbacks({ blockManager }));
processor.process([{ type: 'text-delta', id: '1', text: 'Kept by you.' }]);
processor.finish();
for (const { id, type, status, content } of rows.values()) console.log(id, type, status, content);
