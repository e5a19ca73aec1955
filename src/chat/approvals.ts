import type { ToolCallView } from '#shared/api.ts';
import { toolBlockStatus } from '#shared/block.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors.ts';
import type { EventBody } from '#shared/event.ts';
import type { BlobPort } from '#shared/ports.ts';
import type { PolicyCall, PolicyVerdict } from '#shared/tool.ts';
import { insertAudit } from '#store/audit.ts';
import { getSetting, setSetting } from '#store/settings.ts';
import type { Db, Store } from '#store/store.ts';
import {
  getToolCall,
  listWaitingCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/tool-calls.ts';
import { evaluatePolicy, type PolicyRule } from '#tools/policy.ts';
import type { Decisions } from './decisions.ts';
import type { LiveTopics } from './live-topics.ts';
import { loadStored } from './stored-results.ts';

/** A person's word on one call, for exactly the arguments that were shown. */
export interface Decision {
  decision: 'approve' | 'deny';
  argsHash: string;
  scope: 'once' | 'topic' | 'always';
}

const rulesKey = 'policy-rules';
const maxRules = 1000;

/** The one policy in front of every call, and the decisions people make where it asks. */
export class Approvals {
  readonly #store: Store;
  readonly #blobs: BlobPort;
  readonly #topics: LiveTopics;
  readonly #decisions: Decisions;
  readonly #now: () => number;

  constructor(parts: {
    store: Store;
    blobs: BlobPort;
    topics: LiveTopics;
    decisions: Decisions;
    now: () => number;
  }) {
    this.#store = parts.store;
    this.#blobs = parts.blobs;
    this.#topics = parts.topics;
    this.#decisions = parts.decisions;
    this.#now = parts.now;
  }

  async policy(call: PolicyCall): Promise<PolicyVerdict> {
    return evaluatePolicy(call, await readRules(this.#store.db, call.owner));
  }

  /** Commits a decision and lets the call go on or end. Each call is decided once. */
  async decide(owner: string, toolCallId: string, decision: Decision): Promise<ToolCallView> {
    const record = await this.#find(owner, toolCallId);
    if (record.argsHash !== decision.argsHash)
      throw new CeriseError(
        'arguments_changed',
        'The arguments are not the ones that were shown.',
        {
          hint: 'Look at the call again and decide on what it says now.',
        },
      );
    const events = record.topicId ? [this.#decisionEvent(record, decision)] : [];
    const rows = (tx: Db) => this.#writeDecision(tx, record, decision);
    if (record.topicId)
      await this.#topics.use(owner, record.topicId, (live) => live.commit({ events, rows }));
    else await this.#store.transaction(rows);
    this.#decisions.settle(toolCallId, decision.decision);
    return toView(await this.#find(owner, toolCallId));
  }

  /** One call, with its whole result. */
  async get(owner: string, toolCallId: string): Promise<ToolCallView> {
    const record = await this.#find(owner, toolCallId);
    const { result } = record;
    return toView(
      result ? { ...record, result: await loadStored(result, this.#blobs, owner) } : record,
    );
  }

  /** Calls that wait for a person, oldest first. */
  async waiting(owner: string): Promise<ToolCallView[]> {
    return (await listWaitingCalls(this.#store.db, owner)).map(toView);
  }

  async #find(owner: string, toolCallId: string): Promise<ToolCallRecord> {
    const record = await getToolCall(this.#store.db, owner, toolCallId);
    if (record) return record;
    throw new CeriseError('tool_call_not_found', 'There is no such call.');
  }

  async #writeDecision(tx: Db, record: ToolCallRecord, decision: Decision): Promise<void> {
    const approve = decision.decision === 'approve';
    const moved = await transitionToolCall(
      tx,
      record.id,
      ['proposed'],
      approve ? 'approved' : 'denied',
      approve ? {} : { error: deniedByPerson, endedAt: this.#now() },
    );
    if (!moved) throw new CeriseError('already_decided', 'This call is already decided.');
    if (decision.scope !== 'once') await addRule(tx, record, decision);
    const { toolName, serverId, argsHash } = record;
    await insertAudit(tx, {
      owner: record.owner,
      action: `tool-call.${decision.decision}`,
      subject: record.id,
      details: { toolName, serverId, argsHash, scope: decision.scope },
    });
  }

  #decisionEvent(record: ToolCallRecord, { decision }: Decision): EventBody {
    const ids = { messageId: record.answerId ?? '', blockId: record.blockId ?? '' };
    if (decision === 'approve')
      return { type: 'block-update', ...ids, patch: { state: 'approved', approval: null } };
    return {
      type: 'block-end',
      ...ids,
      status: toolBlockStatus.denied,
      length: 0,
      at: this.#now(),
      patch: { state: 'denied', approval: null, error: deniedByPerson },
    };
  }
}

const deniedByPerson: ErrorInfo = { code: 'denied', message: 'The call was denied by the user.' };

/** A call as clients see it. */
export function toView(record: ToolCallRecord): ToolCallView {
  const { owner: _, blockId: __, round: ___, index: ____, callId: _____, ...view } = record;
  return view;
}

async function readRules(db: Db, owner: string): Promise<PolicyRule[]> {
  return ((await getSetting(db, owner, rulesKey)) ?? []) as unknown as PolicyRule[];
}

async function addRule(tx: Db, record: ToolCallRecord, decision: Decision): Promise<void> {
  const rule: PolicyRule = {
    effect: decision.decision === 'approve' ? 'allow' : 'deny',
    serverId: record.serverId,
    toolName: record.toolName,
    ...(decision.scope === 'topic' && record.topicId && { topicId: record.topicId }),
  };
  const same = (other: PolicyRule) =>
    other.serverId === rule.serverId &&
    other.toolName === rule.toolName &&
    other.topicId === rule.topicId;
  const others = (await readRules(tx, record.owner)).filter((other) => !same(other));
  await setSetting(tx, record.owner, rulesKey, [...others, rule].slice(-maxRules));
}
