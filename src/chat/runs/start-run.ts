import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { insertMessage, insertMessages } from '#store/conversations/messages.ts';
import { hasOtherTry, insertRun } from '#store/conversations/runs.ts';
import { insertTopic, updateTopic } from '#store/conversations/topics.ts';
import type { BodyOf, ContextOf, ResultOf } from '../cluster/command.ts';
import type { Remember } from '../cluster/idempotency.ts';
import { inTopic, type MessagesDeps } from '../conversations/answer-request.ts';
import { firstTitle } from '../conversations/new-messages.ts';
import { assertStill } from '../people/visitor.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';

/** Stores the messages with the answer to come, and starts it. Returns the seq of the last event about it. */
export async function startRun(
  deps: MessagesDeps,
  { owner, topicId }: { owner: string; topicId: string },
  { messages, request, run, since, reader, title }: BodyOf<'run'>,
  also: Remember<ResultOf<'run'>>,
  known?: ContextOf<'run'>,
): Promise<{ seq: number }> {
  const { begins } = known ?? {};
  const start = async (live: LiveTopic) => {
    const said = messages.slice(0, -1);
    const answer = messages.at(-1);
    if (!answer) throw new Error('a run has an answer');
    const { unlisted, titled, title: present } = live.topic;
    // Nobody watches an unlisted topic: its messages are read from their rows.
    const shown = unlisted ? [answer] : messages;
    const patch = title !== null && !titled && present === '' ? { title } : undefined;
    const isWhole = messages[0]?.parentId === null;
    const seq = live.seq + shown.length + (patch ? 1 : 0);
    const started = (message: Message) =>
      ({ type: 'message-start', messageId: message.id, message }) as const;
    await live.commit({
      events: [...shown.map(started), ...(patch ? [{ type: 'topic-update' as const, patch }] : [])],
      inRows: true,
      rows: async (tx) => {
        const { id: activeLeafId, createdAt: updatedAt } = answer;
        const changed = { activeLeafId, updatedAt, ...patch };
        if (begins) {
          await assertStill(tx, deps.store.dialect, owner);
          await insertTopic(tx, owner, { ...begins, ...changed });
        } else await updateTopic(tx, owner, topicId, changed);
        const blocks = said.flatMap((message) => message.blocks);
        await insertMessages(tx, topicId, said, blocks, { isFindable: !unlisted });
        await insertMessage(tx, answer, request);
        const isSecond = since !== undefined && (await hasOtherTry(tx, run, since));
        if (isSecond || !(await insertRun(tx, run, reader))) throw alreadyStarted();
        await also(tx, { seq });
      },
      committed: () =>
        deps.turns.start(live, {
          answerId: answer.id,
          request: request as AnswerRequest,
          steers: false,
          known: known && { model: known.model, ...(isWhole && { path: said }) },
        }),
    });
    return { seq };
  };
  return inTopic(deps, owner, topicId, start, begins);
}

/** The title of a chat that begins with these messages. */
export function titleOf(messages: readonly Message[]): string | null {
  const blocks = messages.findLast(({ role }) => role === 'user')?.blocks ?? [];
  return firstTitle(blocks.map(({ content }) => content).join(' ')) || null;
}

/** The error for a request whose key another one took a moment before. */
export function alreadyStarted(): CeriseError {
  return new CeriseError(
    'conflict',
    say('first-still-running')`The first request with this idempotency key is still running.`,
    { hint: say('again-in-a-moment')`Try again in a moment.` },
  );
}
