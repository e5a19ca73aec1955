import { type Block, type ToolBlock, isVendorRun } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { mergeOrigins, newOrigin, type Origin } from '#shared/vocabulary/origin.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { pathTo } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import { hostOf } from '#tools/policy/policy-arguments.ts';
import type { LiveTopics } from '../topic/live-topics.ts';

/** How many answers are remembered; a running one asks again and again. */
const maxAnswers = 500;

/** Says which untrusted words stand in the branch that a call was made in: where they came from. */
export class Taint {
  readonly #store: Store;
  readonly #live: Pick<LiveTopics, 'find'>;
  /** By answer, those of the messages before it, which do not change while it is made. */
  readonly #before = new Map<string, Promise<Origin[]>>();

  constructor(store: Store, live: Pick<LiveTopics, 'find'>) {
    this.#store = store;
    this.#live = live;
  }

  /** Empty where no untrusted words stand; else some of their sources, the newest first. */
  async of(topicId: string, answerId: string, stored?: Message): Promise<Origin[]> {
    const own = this.#live.find(topicId)?.message(answerId) ?? stored;
    return mergeOrigins(own ? originsIn(own) : [], await this.#beforeAnswer(topicId, answerId));
  }

  #beforeAnswer(topicId: string, answerId: string): Promise<Origin[]> {
    const known = this.#before.get(answerId);
    if (known) return known;
    const asked = pathTo(this.#store.db, topicId, answerId).then((path) =>
      mergeOrigins(
        ...path
          .filter(({ id }) => id !== answerId)
          .toReversed()
          .map(originsIn),
      ),
    );
    this.#before.set(answerId, asked);
    asked.catch(() => this.#before.delete(answerId));
    const [oldest] = this.#before.keys();
    if (this.#before.size > maxAnswers && oldest !== undefined) this.#before.delete(oldest);
    return asked;
  }
}

/** The sources of untrusted words in a message itself, the newest first. */
export function originsIn(message: Pick<Message, 'topicId' | 'blocks'>): Origin[] {
  return mergeOrigins(
    ...message.blocks.toReversed().map((block) => originsOfBlock(block, message.topicId)),
  );
}

/** What a block brought from untrusted sources; also what a vendor searched for. */
function originsOfBlock(block: Block, topicId: string): Origin[] {
  if (block.type !== 'tool') return 'origins' in block ? (block.origins ?? []) : [];
  const isVendors = isVendorRun(block) || (block.serverId === '' && block.result !== undefined);
  if (isVendors) return [originOfCall({ ...block, topicId }, 'vendor')];
  if (!block.untrusted || block.state === 'denied') return [];
  if (!block.result && !block.error) return [];
  const { origins = [] } = block.result ?? {};
  return origins.length > 0 ? origins : [originOfCall({ ...block, topicId })];
}

type Call = Pick<ToolBlock, 'serverId' | 'serverName' | 'toolName' | 'arguments'> &
  Pick<ToolCallRecord, 'topicId' | 'answerId' | 'startedAt'> & { messageId?: string };

/** A call as the source of the words that it brought. */
export function originOfCall(call: Call, from: 'tool' | 'vendor' = 'tool'): Origin {
  const { serverId, serverName, toolName, topicId, startedAt: at } = call;
  const answerId = call.answerId ?? call.messageId;
  const host = hostOf(call.arguments)?.host;
  const place = { topicId, answerId, at };
  return newOrigin({ from, serverId, serverName, toolName, host, ...place });
}
