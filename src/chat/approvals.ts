import type { ToolCallView } from '#shared/api.ts';
import { toolBlockStatus } from '#shared/block.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { EventBody, HostEvent } from '#shared/event.ts';
import { fault } from '#shared/fault.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Decision } from '#shared/policy-api.ts';
import type { BlobPort } from '#shared/ports.ts';
import { sanitiseJson } from '#shared/text.ts';
import type { PolicyCall, PolicyVerdict, Tool } from '#shared/tool.ts';
import { insertAudit } from '#store/audit.ts';
import { addDecisionRule, bumpPolicyVersion } from '#store/policy-rules.ts';
import type { Db, Store } from '#store/store.ts';
import {
  getToolCall,
  listWaitingCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/tool-calls.ts';
import { validateArguments } from '#tools/json-schema.ts';
import { argumentsHash } from '#tools/policy.ts';
import type { Commands } from './commands.ts';
import type { Decisions } from './decisions.ts';
import type { LiveTopics } from './live-topics.ts';
import type { Policy } from './policy.ts';
import { ruleOf } from './policy-remember.ts';
import { Taint } from './policy-taint.ts';
import { loadStored } from './stored-results.ts';

/** What became of one of several decisions. */
export type DecisionResult = { toolCallId: string } & (
  | { call: ToolCallView }
  | { error: ErrorInfo }
);

interface ApprovalParts {
  store: Store;
  blobs: BlobPort;
  topics: LiveTopics;
  decisions: Decisions;
  commands: Commands;
  policy: Policy;
  emit: (owner: string, event: HostEvent) => void;
  /** The tool of a recorded call as it is now. Throws CeriseError if there is none. */
  findTool: (record: ToolCallRecord) => Promise<Tool>;
  now: () => number;
}

/** The policy in front of every call, and the decisions people make where it asks. */
export class Approvals {
  readonly #parts: ApprovalParts;
  readonly #taint: Taint;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
    this.#taint = new Taint(parts.store, parts.topics);
    parts.commands.on('decide', async ({ owner, body }) => {
      const { toolCallId, decision } = body as unknown as {
        toolCallId: string;
        decision: Decision;
      };
      return (await this.#decideHere(owner, toolCallId, decision)) as unknown as Json;
    });
  }

  async policy(call: PolicyCall): Promise<PolicyVerdict> {
    const { topicId, answerId } = call;
    return this.#parts.policy.judge(call, async () =>
      topicId !== undefined && answerId !== undefined ? this.#taint.of(topicId, answerId) : false,
    );
  }

  /**
   * Commits a decision and lets the call go on or end. Each call is decided once, for the arguments
   * that were shown or for those a person put in their place.
   */
  async decide(owner: string, toolCallId: string, decision: Decision): Promise<ToolCallView> {
    const { topicId } = await this.#find(owner, toolCallId);
    const here = () =>
      this.#decideHere(owner, toolCallId, decision).catch(async (error: unknown) => {
        // What failed, or came too late, may be decided all the same: somebody waits for it.
        await this.#parts.decisions.refresh([toolCallId]).catch(() => undefined);
        throw error;
      });
    if (topicId === undefined) return here();
    const body = { toolCallId, decision } as unknown as Json;
    return this.#parts.commands.run({ owner, topicId, kind: 'decide', body }, here);
  }

  async #decideHere(owner: string, toolCallId: string, decision: Decision): Promise<ToolCallView> {
    const { store, topics, decisions, policy, emit } = this.#parts;
    const shown = await this.#find(owner, toolCallId);
    if (shown.argsHash !== decision.argsHash) throw argumentsChanged();
    const record = await this.#withEdits(shown, decision);
    const rule = ruleOf(record, decision, await this.#isReader(record, decision));
    const events = record.topicId ? [this.#decisionEvent(shown, record, decision)] : [];
    const rows = async (tx: Db) => {
      await this.#move(tx, shown, record, decision);
      if (!rule) return;
      await bumpPolicyVersion(tx, owner, this.#parts.now());
      await addDecisionRule(tx, owner, rule, this.#parts.now());
    };
    if (record.topicId)
      await topics.use(owner, record.topicId, (live) => live.commit({ events, rows }));
    else await store.transaction(rows);
    await fault('approval-committed');
    if (rule) policy.forget(owner);
    decisions.settle(toolCallId, decision.decision);
    if (!record.topicId) emit(owner, { type: 'tool-call-decided', toolCallId });
    return toView(await this.#find(owner, toolCallId));
  }

  /** Several decisions, one after the other; each has its own outcome. */
  async decideAll(
    owner: string,
    wanted: readonly (Decision & { toolCallId: string })[],
  ): Promise<DecisionResult[]> {
    const results: DecisionResult[] = [];
    for (const { toolCallId, ...decision } of wanted) {
      try {
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
    const record = await this.#find(owner, toolCallId);
    const { result } = record;
    return toView(
      result ? { ...record, result: await loadStored(result, this.#parts.blobs, owner) } : record,
    );
  }

  /** Calls that wait for a person, oldest first. */
  async waiting(owner: string): Promise<ToolCallView[]> {
    return (await listWaitingCalls(this.#parts.store.db, owner)).map(toView);
  }

  async #find(owner: string, toolCallId: string): Promise<ToolCallRecord> {
    const record = await getToolCall(this.#parts.store.db, owner, toolCallId);
    if (record) return record;
    throw new CeriseError('tool_call_not_found', 'There is no such call.');
  }

  /** The call with the arguments a person put in place of the model's, judged like any other. */
  async #withEdits(record: ToolCallRecord, decision: Decision): Promise<ToolCallRecord> {
    if (decision.decision !== 'approve' || decision.arguments === undefined) return record;
    const args: JsonObject = sanitiseJson(decision.arguments);
    const argsHash = argumentsHash(args);
    if (argsHash === record.argsHash || record.state !== 'proposed') return record;
    const tool = await this.#parts.findTool(record);
    const violation = validateArguments(tool.inputSchema, args);
    if (violation) throw new CeriseError('invalid_arguments', violation);
    const { owner, topicId } = record;
    const verdict = await this.policy({
      ...toPolicyCall(tool, args),
      owner,
      ...(topicId !== undefined && { topicId }),
    });
    if (verdict.action === 'deny') throw deniedByPolicy(verdict);
    return { ...record, arguments: args, argsHash };
  }

  /** Whether a decision for a host is about a tool that is known to read only. */
  async #isReader(record: ToolCallRecord, { scope }: Decision): Promise<boolean> {
    if (scope !== 'host') return false;
    const { policy, findTool } = this.#parts;
    return policy.isReadOnly(record.owner, await findTool(record));
  }

  async #move(
    tx: Db,
    shown: ToolCallRecord,
    { arguments: args, argsHash, ...record }: ToolCallRecord,
    { decision, scope }: Decision,
  ): Promise<void> {
    const isEdited = argsHash !== shown.argsHash;
    const moved = await transitionToolCall(
      tx,
      record.id,
      ['proposed'],
      decision === 'approve' ? 'approved' : 'denied',
      decision === 'deny'
        ? { error: deniedByPerson, endedAt: this.#parts.now() }
        : isEdited
          ? { arguments: args, argsHash }
          : {},
    );
    if (!moved) throw new CeriseError('already_decided', 'This call is already decided.');
    const { toolName, serverId } = record;
    await insertAudit(tx, {
      owner: record.owner,
      action: `tool-call.${decision}`,
      subject: record.id,
      details: {
        toolName,
        serverId,
        argsHash,
        ...(isEdited && { shownHash: shown.argsHash }),
        scope,
      },
    });
  }

  #decisionEvent(
    shown: ToolCallRecord,
    { arguments: args, argsHash, ...record }: ToolCallRecord,
    { decision }: Decision,
  ): EventBody {
    const ids = { messageId: record.answerId ?? '', blockId: record.blockId ?? '' };
    if (decision === 'deny')
      return {
        type: 'block-end',
        ...ids,
        status: toolBlockStatus.denied,
        length: 0,
        at: this.#parts.now(),
        patch: { state: 'denied', approval: null, error: deniedByPerson },
      };
    const edits =
      argsHash === shown.argsHash
        ? {}
        : { arguments: args, argsHash, proposedArguments: shown.arguments };
    return {
      type: 'block-update',
      ...ids,
      patch: { state: 'approved', approval: null, ...edits },
    };
  }
}

const deniedByPerson: ErrorInfo = { code: 'denied', message: 'The call was denied by the user.' };

function argumentsChanged(): CeriseError {
  return new CeriseError('arguments_changed', 'The arguments are not the ones that were shown.', {
    hint: 'Look at the call again and decide on what it says now.',
  });
}

/** What the policy is asked about a call of a tool, whichever way it came. */
export function toPolicyCall(tool: Tool, args: JsonObject): Omit<PolicyCall, 'owner'> {
  const { serverId, toolName, trusted, autoApproved, annotations, definitionHash } = tool;
  return {
    serverId,
    toolName,
    trusted,
    ...(autoApproved !== undefined && { autoApproved }),
    annotations,
    definitionHash,
    arguments: args,
    argsHash: argumentsHash(args),
  };
}

/** The arguments a call was approved with: whoever runs it takes these and no others. */
export async function approvedArguments(
  tx: Db,
  { owner, id }: ToolCallRecord,
): Promise<Pick<ToolCallRecord, 'arguments' | 'argsHash'>> {
  const stored = await getToolCall(tx, owner, id);
  if (!stored) throw new Error(`call ${id} is not recorded`);
  return { arguments: stored.arguments, argsHash: stored.argsHash };
}

/** What a call that the policy refuses ends with. */
export function deniedByPolicy({ rule, code }: PolicyVerdict): CeriseError {
  return new CeriseError(code ?? 'denied', `This call is not allowed: ${rule}.`);
}

/** A call as clients see it. */
export function toView(record: ToolCallRecord): ToolCallView {
  const { owner: _, blockId: __, round: ___, index: ____, callId: _____, ...view } = record;
  return view;
}
