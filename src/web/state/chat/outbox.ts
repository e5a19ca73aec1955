import { create } from 'zustand';
import * as client from '#client/outbox/outbox.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { lineIsBack, useLine } from '../page/line.ts';
import { api } from '../session/api.ts';
import { isUnsure, keepForPerson } from '../session/person.ts';
import { createTopic, type NewChat, useNewChat } from './new-chat.ts';
import type { DraftAttachment } from './stored-draft.ts';
import { usualModel } from './recent-models.ts';
import { dropTopic, topicQueue, useTopics } from './topics.ts';

/** A message on its way: shown at the end until its event has arrived. */
export interface OutgoingMessage extends client.OutgoingMessage {
  /** What goes with it as it stood in the draft, for the writer who takes it back. */
  attachments?: DraftAttachment[];
  /** What was chosen for the conversation that it begins. */
  choice?: NewChat;
}

const storageKey = 'cerise.outbox';

/** What is on its way; `useOutbox` shows it. */
export const outbox = new client.Outbox<OutgoingMessage>({
  send: api.messages.send,
  createTopic: ({ choice = {} }, key) => createTopic(choice, key),
  removeTopic: (topicId) => {
    dropTopic(topicId);
    return api.topics.remove(topicId);
  },
  queue: topicQueue,
  // A tab that is reloaded still has what it could not deliver; its key keeps it from arriving twice.
  storage: {
    read: () => (isUnsure(sessionStorage) ? null : sessionStorage.getItem(storageKey)),
    write: (text) => {
      if (isUnsure(sessionStorage)) return;
      if (text === null) sessionStorage.removeItem(storageKey);
      else sessionStorage.setItem(storageKey, text);
    },
  },
  line: { isUp: () => useLine.getState().live, isBack: lineIsBack },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  onChange: (messages) => useOutbox.setState({ messages }),
});

/** Everything that is on its way, of all topics. */
export const useOutbox = create<{ messages: OutgoingMessage[] }>(() => ({
  messages: outbox.messages,
}));

restoreChoice(outbox.messages);
keepForPerson(sessionStorage, {
  hide: () => outbox.clear(),
  show: () => restoreChoice(outbox.restore()),
  forget: () => sessionStorage.removeItem(storageKey),
});

/** Sends a message; one without a topic begins a conversation with what is chosen for it. */
export function sendMessage(message: Omit<OutgoingMessage, 'key' | 'state'>): Promise<void> {
  if (message.topicId !== null) return outbox.send(message);
  const choice = withModel(useNewChat.getState().choice);
  useNewChat.setState({ choice });
  return outbox.send({ ...message, choice });
}

/** The model that is shown is the one that stays: what is used last elsewhere does not change it. */
function withModel(choice: NewChat): NewChat {
  const catalog = useCatalog.getState();
  const { assistants, defaultModel } = catalog;
  const assistant = assistants.find(({ id }) => id === choice.assistantId) ?? assistants[0];
  if (choice.model ?? assistant?.model) return choice;
  const model = usualModel(useTopics.getState().topics, catalog);
  return model === defaultModel ? choice : { ...choice, model };
}

/** What was chosen for a conversation that is not made yet is chosen still. */
function restoreChoice(stored: OutgoingMessage[]): void {
  const { choice } = stored.find(({ topicId }) => topicId === null) ?? {};
  if (choice) useNewChat.setState({ choice });
}
