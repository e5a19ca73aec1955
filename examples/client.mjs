// A client of a running host: it asks, then follows the answer. A lost connection is restored, and nothing is missed.
import { applyEvent, createClient, readTopicEvents } from 'cerise/client';
import { getMainText } from 'cerise/shared';
import { startCerise } from './serve.mjs';

const { baseUrl, token, stop } = await startCerise();
const client = createClient({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const topic = await client.topics.create({});
const { answerId } = await client.messages.send(topic.id, { text: 'What is 6*7?' });
let conversation;
let answer;
for await (const event of readTopicEvents(client.connection, topic.id)) {
  conversation = event.type === 'snapshot' ? event.conversation : applyEvent(conversation, event);
  answer = conversation.messages.find(({ id }) => id === answerId);
  if (answer?.endedAt !== undefined) break;
}
console.log(answer.status, getMainText(answer).includes('42'));
await stop();
