import { newKey } from '#client/http/key.ts';
import { topicExportPath } from '#client/api/topics.ts';
import { isMessageRunning, type Message, type Topic } from '#shared/vocabulary/message.ts';
import type { OpenClient } from '../client/connect.ts';
import { followAnswer } from '../client/follow-answer.ts';
import { AnswerPrinter } from '../printing/answer-printer.ts';
import type { Io } from '../terminal/io.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { uploadMentioned } from './mentions.ts';

/** The conversation that a terminal is in. */
export class ChatSession {
  readonly client: OpenClient;
  readonly #io: Io;
  readonly #terminal: Terminal;
  topicId: string | undefined;
  /** Chosen here; otherwise the conversation's own. */
  model: string | undefined;
  #last: Message | undefined;

  constructor(client: OpenClient, { io, terminal }: { io: Io; terminal: Terminal }) {
    this.client = client;
    this.#io = io;
    this.#terminal = terminal;
  }

  /** The newest answer that was shown. */
  get lastAnswer(): Message | undefined {
    return this.#last;
  }

  /** Asks, and shows the answer. Aborting the signal stops it. */
  async send(text: string, signal: AbortSignal): Promise<void> {
    const files = await uploadMentioned(this.client, text);
    this.topicId ??= (await this.client.topics.create({})).id;
    const body = {
      text,
      ...(this.model && { model: this.model }),
      ...(files.length > 0 && { files }),
    };
    const { answerId } = await this.client.messages.send(this.topicId, body, newKey());
    await this.#follow(this.topicId, answerId, signal);
  }

  /** The last answer once more. */
  async retry(signal: AbortSignal): Promise<boolean> {
    if (!this.topicId || !this.#last) return false;
    const { answerId } = await this.client.messages.regenerate(this.#last.id, this.model);
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
    this.model = undefined;
    const answer = messages.findLast(({ role }) => role === 'assistant');
    this.#last = answer;
    if (!answer) return;
    if (isMessageRunning(answer)) return this.#follow(topic.id, answer.id, signal);
    const printer = this.#printer();
    printer.show(answer);
    printer.pause();
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
    const stop = () => void this.client.messages.stop(answerId).catch(() => undefined);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    try {
      const viewer = {
        yes: false,
        show: (answer: Message) => printer.show(answer),
        pause: () => printer.pause(),
      };
      const parts = { client: this.client, terminal: this.#terminal };
      this.#last = await followAnswer(parts, { topicId, answerId }, viewer);
      printer.end(this.#last);
    } finally {
      printer.pause();
      signal.removeEventListener('abort', stop);
    }
  }

  #printer(): AnswerPrinter {
    return new AnswerPrinter(this.#io.stdout, this.#io.env);
  }
}
