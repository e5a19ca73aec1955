import type { Message } from '#shared/message.ts';
import { pathTo } from '#store/messages.ts';
import type { Store } from '#store/store.ts';
import { isVendorRun } from './history-calls.ts';
import type { LiveTopics } from './live-topics.ts';

/** How many answers are remembered; a running one asks again and again. */
const mostAnswers = 500;

/** Says whether words of untrusted sources stand in the branch that a call was made in. */
export class Taint {
  readonly #store: Store;
  readonly #topics: Pick<LiveTopics, 'find'>;
  /** By answer, whether the messages before it are tainted: they do not change while it is made. */
  readonly #before = new Map<string, Promise<boolean>>();

  constructor(store: Store, topics: Pick<LiveTopics, 'find'>) {
    this.#store = store;
    this.#topics = topics;
  }

  async of(topicId: string, answerId: string): Promise<boolean> {
    const own = this.#topics.find(topicId)?.message(answerId);
    return (own !== undefined && isTainted(own)) || this.#beforeAnswer(topicId, answerId);
  }

  #beforeAnswer(topicId: string, answerId: string): Promise<boolean> {
    const known = this.#before.get(answerId);
    if (known) return known;
    const asked = pathTo(this.#store.db, topicId, answerId).then((path) =>
      path.some((message) => message.id !== answerId && isTainted(message)),
    );
    this.#before.set(answerId, asked);
    asked.catch(() => this.#before.delete(answerId));
    const [oldest] = this.#before.keys();
    if (this.#before.size > mostAnswers && oldest !== undefined) this.#before.delete(oldest);
    return asked;
  }
}

/** Whether a message holds something that an untrusted source said; also what a vendor searched for. */
function isTainted({ blocks }: Pick<Message, 'blocks'>): boolean {
  return blocks.some((block) => {
    if (block.type !== 'tool') return false;
    if (isVendorRun(block)) return true;
    if (!block.untrusted || block.state === 'denied') return false;
    return block.result !== undefined || block.error !== undefined;
  });
}
