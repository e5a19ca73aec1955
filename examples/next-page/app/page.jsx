'use client';
// A chat page: the reducer that Cerise itself runs, in React. Needs `npm install next react react-dom`.
import { activePath, createMainTextBlock, getMainText, reduce } from 'cerise/shared';
import { useReducer } from 'react';

const at = 0;
const empty = {
  topic: {
    id: 't',
    title: 'Demo',
    titled: true,
    assistantId: 'default',
    activeLeafId: null,
    isLoading: false,
    createdAt: at,
    updatedAt: at,
  },
  messages: [],
  hasEarlier: false,
  seq: 0,
};

/** The events of one message; a page of yours gets them from `cerise/client` or from your own route. */
function eventsOf(id, role, text, parentId) {
  const block = createMainTextBlock(id, '', { status: 'streaming', startedAt: at });
  const message = {
    id,
    topicId: 't',
    parentId,
    role,
    status: 'pending',
    createdAt: at,
    blocks: [],
  };
  const ids = { messageId: id, blockId: block.id };
  return [
    { type: 'message-start', messageId: id, message },
    { type: 'block-start', ...ids, block },
    { type: 'block-delta', ...ids, offset: 0, text },
    { type: 'block-end', ...ids, status: 'success', length: text.length, at },
    { type: 'message-end', messageId: id, status: 'success', at },
  ];
}

export default function Page() {
  const [conversation, apply] = useReducer(
    (state, events) => events.reduce(reduce, state),
    [...eventsOf('q', 'user', 'Hi', null), ...eventsOf('a', 'assistant', 'Hello there', 'q')],
    (events) => events.reduce(reduce, empty),
  );
  const path = activePath(conversation);
  const more = () => {
    const id = `m${path.length}`;
    apply(eventsOf(id, 'user', 'More!', path.at(-1).id));
  };
  return (
    <main>
      {path.map((message) => (
        <p key={message.id} className={message.role}>
          {getMainText(message)}
        </p>
      ))}
      <button onClick={more}>Say more</button>
    </main>
  );
}
