import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { EventBody, HostEvent } from '#shared/vocabulary/event.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import type { BlobPort, Logger } from '#shared/vocabulary/ports.ts';
import {
  type PolicyCall,
  type PolicyVerdict,
  shutdownReason,
  type Tool,
} from '#shared/vocabulary/tool.ts';
import {
  getToolCall,
  getToolCallState,
  listWaitingCalls,
  type ToolCallRecord,
} from '#store/calls/tool-calls.ts';
import { addDecisionRule, bumpPolicyVersion } from '#store/configuration/policy-rules.ts';
import { LeaseLost } from '#store/conversations/leases.ts';
import type { Db, Store } from '#store/database/store.ts';
import { validateArguments } from '#tools/formats/json-schema.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import type { Commands, RunCommand } from '../cluster/commands.ts';
import { callNotFound } from '../policy/call-not-found.ts';
import { ruleOf } from '../policy/policy-remember.ts';
import { toPolicyCall } from '../policy/policy-tool.ts';
import type { Policy } from '../policy/policy.ts';
import { HeldElsewhere, type LiveTopics } from '../topic/live-topics.ts';
import type { Signals } from '../topic/signals.ts';
import {
  alreadyDecided,
  isByPerson,
  recordDecision,
  type CallDecision,
  decisionEvent,
} from './call-decision.ts';
import type { CallOrigins } from './call-origins.ts';
import { toView, toWholeView } from './call-view.ts';
import {
  deniedByPolicy,
  findToolNow,
  noLongerAllowed,
  refusalOf,
  type ToolNow,
} from './refusals.ts';
import { sanitiseArguments } from './sanitise-arguments.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** What became of one of several decisions. */
export type DecisionResult = { toolCallId: string } & (
  | { call: ToolCallView }
  | { error: ErrorInfo }
);

interface ApprovalDeps {
  store: Store;
  blobs: BlobPort;
  live: LiveTopics;
  commands: Commands;
  policy: Policy;
  origins: CallOrigins;
  emit: (owner: string, event: HostEvent) => void;
  /** The tool of a recorded call as it is now. Throws CeriseError if there is none. */
  findTool: (record: ToolCallRecord) => Promise<Tool>;
  signals: Signals;
  /** The name of this host among others on the same database. */
  instance: string;
  logger: Logger;
  now: () => number;
}

type Commit = (change: {
  events: EventBody[];
  rows: (tx: Db) => Promise<void>;
}) => Promise<unknown>;

/** How many calls that the policy decided in a person's place are remembered. */
const maxByRule = 1000;

/** The policy in front of every call, and the decisions people make where it asks. */
export class Approvals {
  readonly #deps: ApprovalDeps;
  readonly #decide: RunCommand<'decide'>;
  readonly #waiting: WaitingCalls;
  /** Approved by a rule while a person was asked: who says the same a moment later is not wrong. */
  readonly #byRule = new Set<string>();

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
    this.#waiting = new WaitingCalls((id) => getToolCallState(deps.store.db, id));
    deps.signals.on('rules-changed', ({ owner }) => this.#judgeAll(owner));
    this.#decide = deps.commands.define('decide', ({ owner }, { toolCallId, decision }) =>
      this.#decideHere(owner, toolCallId, decision),
    );
  }

  async policy(call: PolicyCall): Promise<PolicyVerdict> {
    let origins: Origin[] = [];
    const verdict = await this.#deps.policy.judge(call, async () => {
      origins = await this.#deps.origins.before(call);
      return origins.length > 0;
    });
    return verdict.reason === 'untrusted_words' ? { ...verdict, origins } : verdict;
  }

  /**
   * Commits a decision and lets the call go on or end. Each call is decided once, for the arguments
   * that were shown or for those a person put in their place. What is refused by now is not approved:
   * the call ends as denied, and `no_longer_allowed` says so.
   */
  async decide(owner: string, toolCallId: string, decision: Decision): Promise<ToolCallView> {
    const { topicId } = await this.#find(owner, toolCallId);
    if (topicId === undefined) return this.#decideHere(owner, toolCallId, decision);
    return this.#decide({ owner, topicId }, { toolCallId, decision });
  }

  /** Several decisions, one after the other; each has its own outcome. `check` throws for what may not be. */
  async decideAll(
    owner: string,
    wanted: readonly (Decision & { toolCallId: string })[],
    check: (call: ToolCallView) => void = () => undefined,
  ): Promise<DecisionResult[]> {
    const results: DecisionResult[] = [];
    for (const { toolCallId, ...decision } of wanted) {
      try {
        check(toView(await this.#find(owner, toolCallId)));
        results.push({ toolCallId, call: await this.decide(owner, toolCallId, decision) });
      } catch (error) {
        if (!(error instanceof CeriseError)) throw error;
        results.push({ toolCallId, error: toErrorInfo(error) });
      }
    }
    return results;
  }

  /** One call, with its whole result. */
  async get(owner: string, toolCallId: string): Promise<ToolCallView> {
    return toWholeView(await this.#find(owner, toolCallId), this.#deps.blobs);
  }

  /** Calls that wait for a person, oldest first. */
  async waiting(owner: string): Promise<ToolCallView[]> {
    return (await listWaitingCalls(this.#deps.store.db, owner)).map(toView);
  }

  /** Why a recorded call may not run any more, as rules and server are now; undefined if it may. */
  async refusal({ owner, id }: ToolCallRecord, tool: Tool): Promise<ErrorInfo | undefined> {
    return this.#refusalOf(await this.#find(owner, id), tool);
  }

  /**
   * Resolves when a call that waits is decided, by a person or by the policy as it is then; rejects with the
   * signal's reason. It never expires: where the host ends it still waits, and another says so again.
   */
  async wait(
    { id, owner, callId, topicId, answerId, serverId, toolName, arguments: args }: ToolCallRecord,
    find: () => Promise<Tool | undefined>,
    signal: AbortSignal,
  ): Promise<'approve' | 'deny'> {
    const { emit } = this.#deps;
    const facts = { toolCallId: id, ...(topicId !== undefined && { topicId }), serverId, toolName };
    const place = { owner, callId, ...(topicId && { topicId }), ...(answerId && { answerId }) };
    const judge = async () => {
      const tool = await find();
      return tool && this.policy({ ...toPolicyCall(tool, args), ...place });
    };
    emit(owner, { type: 'tool-call-waiting', ...facts });
    try {
      const decision = this.#waiting.wait(id, { owner, signal, judge });
      // The rules may have changed since the call was judged.
      void this.#judgeWaiting(owner, id);
      return await decision;
    } finally {
      if (signal.reason !== shutdownReason) emit(owner, { type: 'tool-call-decided', ...facts });
    }
  }

  /** Looks whether calls that wait here were decided elsewhere. Absent: all of them. */
  async refresh(toolCallIds?: readonly string[]): Promise<void> {
    await this.#waiting.refresh(toolCallIds);
  }

  /** Judges a call that waits here by the policy as it is now; one that need not ask goes on, or ends. */
  async #judgeWaiting(owner: string, toolCallId: string): Promise<void> {
    try {
      const verdict = await this.#waiting.verdict(toolCallId);
      if (!verdict || verdict.action === 'ask') return;
      const decision = verdict.action === 'allow' ? 'approve' : 'deny';
      const error = decision === 'deny' ? toErrorInfo(deniedByPolicy(verdict)) : undefined;
      await this.#with(owner, toolCallId, async (shown, commit) => {
        if (shown.state !== 'proposed') return;
        if (decision === 'approve') this.#noteByRule(toolCallId);
        const word = { decision, rule: verdict.rule, ...(error && { error }) } as const;
        await this.#commit(shown, shown, word, commit);
      });
    } catch (error) {
      if (isOvertaken(error)) return;
      const fields = { toolCallId, ...toErrorInfo(error) };
      this.#deps.logger.warn(fields, 'Could not re-evaluate a waiting call');
    }
  }

  async #judgeAll(owner: string): Promise<void> {
    for (const toolCallId of this.#waiting.of(owner)) await this.#judgeWaiting(owner, toolCallId);
  }

  async #decideHere(owner: string, toolCallId: string, decision: Decision): Promise<ToolCallView> {
    const decided = this.#with(owner, toolCallId, async (shown, commit) => {
      if (shown.argsHash !== decision.argsHash) throw argumentsChanged();
      const agree = async () => {
        const record = await this.#find(owner, toolCallId);
        await this.#agree(record, decision);
        return record;
      };
      if (shown.state !== 'proposed') return toView(await agree());
      return toView(
        await this.#decideOpen(shown, decision, commit).catch((error: unknown) => {
          if (!isDecided(error)) throw error;
          return agree();
        }),
      );
    });
    return decided.catch(async (error: unknown) => {
      // What failed, or came too late, may be decided all the same: somebody waits for it.
      await this.#waiting.refresh([toolCallId]).catch(() => undefined);
      throw error;
    });
  }

  /** The call as it was decided; it may run by the time that somebody reads this. */
  async #decideOpen(
    shown: ToolCallRecord,
    decision: Decision,
    commit: Commit,
  ): Promise<ToolCallRecord> {
    const { decision: word, scope } = decision;
    let record = shown;
    let tool: Tool | undefined;
    if (word === 'approve') {
      const now = await findToolNow(this.#deps.findTool, shown);
      record = withEdits(shown, decision, now);
      const refusal = await this.#refusalNow(record, now);
      if (refusal && record !== shown && refusal.code === 'denied')
        throw new CeriseError(refusal.code, refusal.message, refusal);
      if (refusal) {
        await this.#commit(shown, shown, { decision: 'deny', error: refusal }, commit);
        throw noLongerAllowed(refusal);
      }
      if ('tool' in now) ({ tool } = now);
    }
    const rule = ruleOf(record, decision, await this.#isReader(record, decision));
    return this.#commit(shown, record, { decision: word, scope }, commit, { rule, tool });
  }

  /** Where a rule was faster and said the same, only what is to be remembered is missing. */
  async #agree(shown: ToolCallRecord, decision: Decision): Promise<void> {
    const { state, error, argsHash } = shown;
    if (decision.decision === 'approve' && state === 'denied' && error && !isByPerson(error))
      throw noLongerAllowed(error);
    const isSame = this.#byRule.has(shown.id) && argsHash === decision.argsHash;
    if (!isSame || decision.decision === 'deny' || decision.arguments !== undefined)
      throw alreadyDecided();
    const rule = ruleOf(shown, decision, await this.#isReader(shown, decision));
    const { policy, now } = this.#deps;
    if (rule)
      await policy.change(shown.owner, (tx) => addDecisionRule(tx, shown.owner, rule, now()));
  }

  async #commit(
    shown: ToolCallRecord,
    record: ToolCallRecord,
    word: Omit<CallDecision, 'at' | 'ownerInstance'>,
    commit: Commit,
    also: { rule?: ReturnType<typeof ruleOf>; tool?: Tool | undefined } = {},
  ): Promise<ToolCallRecord> {
    const { policy, emit, signals, instance, now } = this.#deps;
    const { owner, id, topicId, serverId, toolName } = record;
    const { rule, tool } = also;
    const isDirect = topicId === undefined;
    const decision = { ...word, at: now(), ...(isDirect && { ownerInstance: instance }) };
    let decided = record;
    const rows = async (tx: Db) => {
      await recordDecision(tx, shown, record, decision);
      decided = (await getToolCall(tx, owner, id)) ?? record;
      if (!rule) return;
      await bumpPolicyVersion(tx, owner, decision.at);
      await addDecisionRule(tx, owner, rule, decision.at);
    };
    await commit({ events: isDirect ? [] : [decisionEvent(shown, record, decision)], rows });
    await fault('approval-committed');
    this.#waiting.settle(id, decision.decision);
    if (rule) policy.forget(owner);
    if (!isDirect) return decided;
    emit(owner, { type: 'tool-call-decided', toolCallId: id, serverId, toolName });
    if (decision.decision === 'approve')
      void signals.tell('call-approved', { record: decided, tool });
    return decided;
  }

  /** Works on a call where it may be written: a direct one anywhere, another at the holder of its topic. */
  async #with<T>(
    owner: string,
    toolCallId: string,
    work: (record: ToolCallRecord, commit: Commit) => Promise<T>,
  ): Promise<T> {
    const { store, live } = this.#deps;
    const record = await this.#find(owner, toolCallId);
    const { topicId } = record;
    if (topicId === undefined) return work(record, ({ rows }) => store.transaction(rows));
    return live.use(owner, topicId, async (topic) =>
      work(await this.#find(owner, toolCallId), (change) => topic.commit(change)),
    );
  }

  async #find(owner: string, toolCallId: string): Promise<ToolCallRecord> {
    const record = await getToolCall(this.#deps.store.db, owner, toolCallId);
    if (record && record.removedAt === undefined) return record;
    throw callNotFound();
  }

  async #refusalNow(record: ToolCallRecord, now: ToolNow): Promise<ErrorInfo | undefined> {
    if ('refusal' in now) return now.refusal;
    return 'tool' in now ? this.#refusalOf(record, now.tool) : undefined;
  }

  async #refusalOf(record: ToolCallRecord, tool: Tool): Promise<ErrorInfo | undefined> {
    const { owner, callId, topicId, answerId, arguments: args } = record;
    await this.#deps.policy.reload(owner);
    const place = { owner, callId, ...(topicId && { topicId }), ...(answerId && { answerId }) };
    return refusalOf(record, tool, await this.policy({ ...toPolicyCall(tool, args), ...place }));
  }

  /** Whether a decision for a host is about a tool that is known to read only. */
  async #isReader(record: ToolCallRecord, { scope }: Decision): Promise<boolean> {
    if (scope !== 'host') return false;
    const { policy, findTool } = this.#deps;
    const { readOnly } = await policy.facts(record.owner, await findTool(record));
    return readOnly === true;
  }

  #noteByRule(toolCallId: string): void {
    this.#byRule.add(toolCallId);
    const [oldest] = this.#byRule;
    if (this.#byRule.size > maxByRule && oldest !== undefined) this.#byRule.delete(oldest);
  }
}

/** The call with the arguments a person put in place of the model's; they must fit the tool. */
function withEdits(record: ToolCallRecord, decision: Decision, now: ToolNow): ToolCallRecord {
  if (decision.arguments === undefined || 'refusal' in now) return record;
  const args = sanitiseArguments(decision.arguments);
  const argsHash = argumentsHash(args);
  if (argsHash === record.argsHash) return record;
  if ('problem' in now) throw now.problem;
  const violation = validateArguments(now.tool.inputSchema, args);
  if (violation) throw new CeriseError('invalid_arguments', violation);
  return { ...record, arguments: args, argsHash };
}

/** Somebody else decided, or has the topic: what is to be done is theirs. */
function isOvertaken(error: unknown): boolean {
  if (error instanceof HeldElsewhere || error instanceof LeaseLost || isDecided(error)) return true;
  const gone = ['topic_not_found', 'tool_call_not_found'];
  return error instanceof CeriseError && gone.includes(error.code);
}

function isDecided(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'already_decided';
}

function argumentsChanged(): CeriseError {
  return new CeriseError(
    'arguments_changed',
    say('arguments-not-shown')`The arguments have changed since they were shown.`,
    {
      hint: say('look-at-call-again')`Review the call again, then decide.`,
    },
  );
}

/** The arguments a call was approved with: it runs with these and no others. */
export async function approvedArguments(
  tx: Db,
  { owner, id }: ToolCallRecord,
): Promise<Pick<ToolCallRecord, 'arguments' | 'argsHash'>> {
  const stored = await getToolCall(tx, owner, id);
  if (!stored) throw new Error(`call ${id} is not recorded`);
  return { arguments: stored.arguments, argsHash: stored.argsHash };
}
