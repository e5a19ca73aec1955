import { reduce } from 'cerise';

/** Sends a message and resolves with the finished answer. */
export async function ask(host, topicId, text, owner = 'local') {
  const { answerId } = await host.messages.send(owner, topicId, { text });
  const { promise, resolve } = Promise.withResolvers();
  let conversation;
  const stop = await host.topics.watch(owner, topicId, undefined, {
    send(frames) {
      for (const line of frames.split('\n').filter((each) => each.startsWith('data: '))) {
        const event = JSON.parse(line.slice(6));
        conversation = event.type === 'snapshot' ? event.conversation : reduce(conversation, event);
      }
      const answer = conversation?.messages.find(({ id }) => id === answerId);
      if (answer?.endedAt !== undefined) resolve(answer);
    },
    end() {},
  });
  return promise.finally(stop);
}
