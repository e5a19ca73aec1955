import { isUnreachable } from '#client/http/connection.ts';
import { newKey } from '#client/http/key.ts';
import { topicExportPath } from '#client/api/topics.ts';
import { isMessageRunning, type Message, type Topic } from '#shared/vocabulary/message.ts';
import type { OpenClient } from '../client/connect.ts';
import { followAnswer } from '../client/follow-answer.ts';
import { type FollowedInputs, followInputs } from '../client/follow-inputs.ts';
import { AnswerPrinter } from '../printing/answer-printer.ts';
import type { Io } from '../terminal/io.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Mentioned, uploadMentioned } from './mentions.ts';

/** The conversation that a terminal is in. */
export class ChatSession {
  client: OpenClient;
  readonly #io: Io;
  readonly #terminal: Terminal;
  topicId: string | undefined;
  /** Chosen here; otherwise the conversation's own. */
  model: string | undefined;
  #inputs: FollowedInputs;
  #last: Message | undefined;

  constructor(client: OpenClient, { io, terminal }: { io: Io; terminal: Terminal }) {
    this.client = client;
    this.#io = io;
    this.#terminal = terminal;
    this.#inputs = this.#followInputs();
  }

  /** Goes on with another host of the same data folder; that of another terminal ends with it. */
  goOnWith(client: OpenClient): void {
    this.#inputs.close();
    this.client = client;
    this.#inputs = this.#followInputs();
  }

  /** The newest answer that was shown. */
  get lastAnswer(): Message | undefined {
    return this.#last;
  }

  /** Asks, and shows the answer. Aborting the signal stops it. */
  async send(
    text: string,
    signal: AbortSignal,
    also: { files: File[]; quotes: Mentioned['quotes'] } = { files: [], quotes: [] },
  ): Promise<void> {
    const mentioned = await uploadMentioned(this.client, text);
    for (const file of also.files)
      mentioned.files.push((await this.client.files.upload(file, file.name)).id);
    const { files } = mentioned;
    const quotes = [...mentioned.quotes, ...also.quotes];
    this.topicId ??= (await this.client.topics.create({})).id;
    const body = {
      text,
      ...(this.model && { model: this.model }),
      ...(files.length > 0 && { files }),
      ...(quotes.length > 0 && { quotes }),
    };
    const { answerId } = await this.client.messages.send(this.topicId, body, newKey());
    await this.#follow(this.topicId, answerId, signal);
  }

  /** The last answer once more. */
  async retry(signal: AbortSignal): Promise<boolean> {
    if (!this.topicId || !this.#last) return false;
    const { answerId } = await this.client.messages.regenerate(this.#last.id, {
      model: this.model,
    });
    await this.#follow(this.topicId, answerId, signal);
    return true;
  }

  /** Goes on in another conversation: shows its last answer, and follows it where it still runs. */
  async resume(topic: Pick<Topic, 'id'>, signal: AbortSignal): Promise<void> {
    const { messages } = await this.client.topics.conversation(
      topic.id,
      AbortSignal.timeout(30_000),
    );
    this.topicId = topic.id;
    this.#inputs.catchUp();
    this.model = undefined;
    const answer = messages.findLast(({ role }) => role === 'assistant');
    this.#last = answer;
    if (!answer) return;
    if (isMessageRunning(answer)) return this.#follow(topic.id, answer.id, signal);
    const printer = this.#printer();
    printer.show(answer);
    printer.pause();
  }

  async close(): Promise<void> {
    this.#inputs.close();
    await this.client.close();
  }

  startAnew(): void {
    this.topicId = undefined;
    this.#last = undefined;
  }

  /** The conversation as Markdown. */
  async exported(): Promise<string | undefined> {
    if (!this.topicId) return undefined;
    const response = await this.client.connection.send(topicExportPath(this.topicId, 'markdown'));
    return response.text();
  }

  async #follow(topicId: string, answerId: string, signal: AbortSignal): Promise<void> {
    const printer = this.#printer();
    // A host that has gone stops nothing; it is not waited for any longer either.
    const gone = new AbortController();
    const stop = () =>
      void this.client.messages.stop(answerId).catch((error: unknown) => {
        if (isUnreachable(error)) gone.abort();
      });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    try {
      const viewer = {
        yes: false,
        show: (answer: Message) => printer.show(answer),
        pause: () => printer.pause(),
      };
      const parts = { client: this.client, terminal: this.#terminal };
      this.#last = await followAnswer(parts, { topicId, answerId, signal: gone.signal }, viewer);
      printer.end(this.#last);
    } finally {
      printer.pause();
      signal.removeEventListener('abort', stop);
    }
  }

  #followInputs(): FollowedInputs {
    const at = { io: this.#io, terminal: this.#terminal };
    return followInputs(this.client, at, ({ topicId }) => topicId === this.topicId);
  }

  #printer(): AnswerPrinter {
    return new AnswerPrinter(this.#io.stdout, this.#io.env);
  }
}
