// The state of a chat page, React or not: the reducer that Cerise itself runs, fed by its events.
import { createMainTextBlock, getMainText, reduce } from 'cerise/shared';

const at = Date.now();
const topic = { id: 't', title: '', titled: false, assistantId: 'default', activeLeafId: null };
let state = {
  topic: { ...topic, isLoading: false, createdAt: at, updatedAt: at },
  messages: [],
  hasEarlier: false,
  seq: 0,
};
const message = { id: 'a', topicId: 't', parentId: null, role: 'assistant', status: 'pending' };
const block = createMainTextBlock('a', '', { status: 'streaming' });
for (const event of [
  { type: 'message-start', messageId: 'a', message: { ...message, createdAt: at, blocks: [] } },
  { type: 'block-start', messageId: 'a', blockId: block.id, block },
  { type: 'block-delta', messageId: 'a', blockId: block.id, offset: 0, text: 'Hello' },
])
  state = reduce(state, event);
console.log(state.topic.isLoading, getMainText(state.messages[0]));
