import { createHash } from 'node:crypto';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { listTree } from '#store/conversations/delete-messages.ts';
import { getMessage } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import type { Approvals } from '../calls/approvals.ts';
import type { MessageIds, SendMessage } from '../cluster/command.ts';
import type { Once, Remember } from '../cluster/idempotency.ts';
import { withLimits } from '../conversations/answer-request.ts';
import { answerNotFound, type Messages } from '../conversations/messages.ts';
import type { Topics } from '../conversations/topics.ts';
import type { Visitor } from '../people/visitor.ts';
import { withinOf } from '../servers/key-rights.ts';
import { type CallWord, decideCalls } from './decide-calls.ts';
import {
  fingerprint,
  keepFiles,
  textOf,
  type UiFilesDeps,
  type UiQuestion,
} from './ui-question.ts';

/** A page's request to a chat. */
export type UiRequest = Pick<SendMessage, 'model' | 'tools' | 'caller'> &
  (
    | { type: 'send'; question: UiQuestion }
    | { type: 'regenerate'; answerId: string | undefined; question: UiQuestion | undefined }
    | { type: 'decide'; answerId: string; words: CallWord[] }
  );

type RegenerateRequest = Extract<UiRequest, { type: 'regenerate' }>;

interface UiAnswersDeps extends UiFilesDeps {
  store: Store;
  messages: Pick<Messages, 'send' | 'regenerate'>;
  topics: Pick<Topics, 'snapshot'>;
  approvals: Pick<Approvals, 'get' | 'decide'>;
  once: Pick<Once, 'run'>;
}

/** Answers of a chat for pages that keep its messages themselves and send all of them each time. */
export class UiAnswers {
  readonly #deps: UiAnswersDeps;

  constructor(deps: UiAnswersDeps) {
    this.#deps = deps;
  }

  /** Carries out a request, once per key or question; everything is committed when it resolves to the answer. */
  async begin(
    visitor: Visitor,
    topicId: string,
    request: UiRequest,
    requestKey?: string,
  ): Promise<Message> {
    const { owner } = visitor;
    if (request.type === 'decide') {
      const answer = await this.#ownAnswer(owner, topicId, request.answerId);
      await decideCalls(this.#deps.approvals, visitor, answer.id, request.words);
      return this.#read(owner, topicId, answer.id);
    }
    const answerId =
      request.type === 'send'
        ? (await this.#send(visitor, topicId, request, request.question, requestKey)).answerId
        : await this.#regenerate(visitor, topicId, request, requestKey);
    return this.#read(owner, topicId, answerId);
  }

  /** The newest answer of a topic, if it still runs. */
  async running(owner: string, topicId: string): Promise<Message | undefined> {
    const { messages } = await this.#deps.topics.snapshot(owner, topicId, 1);
    const newest = messages.at(-1);
    if (newest?.role !== 'assistant' || !isMessageRunning(newest)) return undefined;
    return this.#read(owner, topicId, newest.id);
  }

  /** A page that lost the response sends the same question again: `isRepeat` says that it was stored before. */
  async #send(
    visitor: Visitor,
    topicId: string,
    { model, tools, caller }: UiRequest,
    question: UiQuestion,
    requestKey: string | undefined,
  ): Promise<MessageIds & { isRepeat: boolean }> {
    const { owner } = visitor;
    const within = withinOf(visitor);
    const after = question.after && (await this.#find(owner, topicId, question.after));
    const parentId = after ? after.id : question.isEdit ? null : undefined;
    const asked = { topicId, after: after && after.id, model, tools, within };
    const requestHash = hash({ ...asked, ...fingerprint(question) });
    const key = requestKey ?? `ui ${requestHash}`;
    let isRepeat = true;
    const { body } = await this.#deps.once.run({ owner, key, requestHash }, async (remember) => {
      isRepeat = false;
      const text = textOf(question);
      const files = await keepFiles(this.#deps, owner, question);
      const input = { text, files, parentId, model, tools };
      const ids = await this.#deps.messages.send(
        owner,
        topicId,
        withLimits(input, within, caller),
        (tx, early) => remember(tx, stored(early)),
      );
      return stored(ids);
    });
    return { ...(JSON.parse(body) as MessageIds), isRepeat };
  }

  async #regenerate(
    visitor: Visitor,
    topicId: string,
    request: RegenerateRequest,
    key: string | undefined,
  ): Promise<string> {
    if (key === undefined) return this.#answerAgain(visitor, topicId, request);
    const { owner } = visitor;
    const { answerId, question, model } = request;
    const within = withinOf(visitor);
    const requestHash = hash({ topicId, answerId, question: question?.name, model, within });
    const { body } = await this.#deps.once.run({ owner, key, requestHash }, async (remember) => {
      const also: Remember<{ answerId: string }> = (tx, early) => remember(tx, stored(early));
      return stored({ answerId: await this.#answerAgain(visitor, topicId, request, also) });
    });
    return (JSON.parse(body) as { answerId: string }).answerId;
  }

  /** Makes another answer to a question; a question that never arrived is asked instead. */
  async #answerAgain(
    visitor: Visitor,
    topicId: string,
    request: RegenerateRequest,
    remember?: Remember<{ answerId: string }>,
  ): Promise<string> {
    const { owner } = visitor;
    const { model, question } = request;
    let first = await this.#answerOf(owner, topicId, request.answerId ?? question?.name);
    if (first === undefined) {
      if (!question) throw answerNotFound();
      const sent = await this.#send(visitor, topicId, request, question, undefined);
      if (!sent.isRepeat) return sent.answerId;
      first = sent.answerId;
    }
    const asked = { model, within: withinOf(visitor) };
    return (await this.#deps.messages.regenerate(owner, first, asked, remember)).answerId;
  }

  /** The answer with this id, or the newest one to the question with this id; undefined if neither is here. */
  async #answerOf(owner: string, topicId: string, id = ''): Promise<string | undefined> {
    const message = await this.#find(owner, topicId, id);
    if (message?.role !== 'user') return message?.id;
    const tree = await listTree(this.#deps.store.db, topicId);
    return tree.findLast(({ parentId, role }) => parentId === message.id && role === 'assistant')
      ?.id;
  }

  async #ownAnswer(owner: string, topicId: string, answerId: string): Promise<Message> {
    const answer = await this.#find(owner, topicId, answerId);
    if (answer?.role === 'assistant') return answer;
    throw answerNotFound();
  }

  async #find(owner: string, topicId: string, id: string): Promise<Message | undefined> {
    const message = await getMessage(this.#deps.store.db, owner, id);
    return message?.topicId === topicId ? message : undefined;
  }

  /** The answer so far, even if it still waits for the host that holds the topic. */
  async #read(owner: string, topicId: string, answerId: string): Promise<Message> {
    const answer = await this.#find(owner, topicId, answerId);
    if (answer) return answer;
    const { messages } = await this.#deps.topics.snapshot(owner, topicId);
    const accepted = messages.find(({ id }) => id === answerId);
    if (accepted) return accepted;
    throw answerNotFound();
  }
}

function hash(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

function stored(result: object) {
  return { status: 202, body: JSON.stringify(result) };
}
