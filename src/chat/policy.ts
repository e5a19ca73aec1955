import { CeriseError } from '#shared/errors.ts';
import type { PolicyDocument, PolicyRule, WritePolicy } from '#shared/policy-api.ts';
import type { PolicyCall, PolicyVerdict, Tool } from '#shared/tool.ts';
import { insertAudit } from '#store/audit.ts';
import { bumpPolicyVersion, policyVersion, replaceRules } from '#store/policy-rules.ts';
import { setSetting } from '#store/settings.ts';
import type { Db, Store } from '#store/store.ts';
import { getTopic } from '#store/topics.ts';
import { evaluatePolicy } from '#tools/policy.ts';
import { toolFacts } from '#tools/policy-match.ts';
import { loadPolicyState, marksKey, type PolicyState, toolKey } from './policy-state.ts';

/**
 * The one policy in front of every call. What it judges by is kept in memory and read again after a
 * change: this host forgets it by itself, others when `reload` tells them.
 */
export class Policy {
  /** Told of every change, so that other hosts on the same database can hear of it. */
  onChange: () => void = () => undefined;
  /** Told when calls of an owner may be judged otherwise from now on, whoever changed that. */
  onJudgedAnew: (owner: string) => void = () => undefined;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #states = new Map<string, Promise<PolicyState>>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The verdict on a call. `isTainted` is asked only where it makes a difference. */
  async judge(call: PolicyCall, isTainted: () => Promise<boolean>): Promise<PolicyVerdict> {
    const state = await this.state(call.owner);
    const known = { ...call, trusted: call.trusted || state.trusted.has(call.serverId) };
    const pin = state.pins.get(toolKey(call.serverId, call.toolName));
    const judge = (tainted: boolean) =>
      evaluatePolicy(known, { rules: state.ranked, pin, tainted });
    const verdict = judge(false);
    if (verdict.action !== 'allow') return verdict;
    const strict = judge(true);
    return strict.action === 'allow' || !(await isTainted()) ? verdict : strict;
  }

  async read(owner: string): Promise<PolicyDocument> {
    await this.reload(owner);
    return (await this.state(owner)).document;
  }

  /** Replaces the whole policy. Throws `conflict` where it is no longer the version that was read. */
  async write(owner: string, policy: WritePolicy): Promise<PolicyDocument> {
    const { rules, trustedServers, safeToRepeat, version } = policy;
    await this.change(
      owner,
      async (tx) => {
        await assertTopics(tx, owner, rules);
        await replaceRules(tx, owner, rules, this.#now());
        await setSetting(tx, owner, marksKey, { trustedServers, safeToRepeat });
        const details = { rules: rules.length, trustedServers, safeToRepeat };
        await insertAudit(tx, { owner, action: 'policy.write', subject: owner, details });
      },
      version,
    );
    return this.read(owner);
  }

  /** Whether an admin said that a call of the tool may be repeated where its outcome is not known. */
  async isSafeToRepeat(owner: string, serverId: string, toolName: string): Promise<boolean> {
    return (await this.state(owner)).safeToRepeat.has(toolKey(serverId, toolName));
  }

  /** Whether a tool is known to change nothing: a trusted server says so. */
  async isReadOnly(owner: string, tool: Tool): Promise<boolean> {
    const { trusted } = await this.state(owner);
    const { readOnly } = toolFacts(tool.annotations, tool.trusted || trusted.has(tool.serverId));
    return readOnly === true;
  }

  /** Changes what calls are judged by, under a new version. */
  async change(
    owner: string,
    rows: (tx: Db) => Promise<unknown>,
    expected?: string,
  ): Promise<void> {
    await this.#store.transaction(async (tx) => {
      await bumpPolicyVersion(tx, owner, this.#now(), expected);
      await rows(tx);
    });
    this.forget(owner);
  }

  /** What is in memory is not true any more; call it after the change is committed. */
  forget(owner: string): void {
    this.#states.delete(owner);
    this.onJudgedAnew(owner);
    this.onChange();
  }

  /** Another host may have changed the policy: one small query, and nothing more if it has not. */
  async reload(owner: string): Promise<void> {
    const known = await this.#states.get(owner);
    if (!known || known.document.version === (await policyVersion(this.#store.db, owner))) return;
    this.#states.delete(owner);
    this.onJudgedAnew(owner);
  }

  /** What calls are judged by now. */
  state(owner: string): Promise<PolicyState> {
    const known = this.#states.get(owner);
    if (known) return known;
    const loading = loadPolicyState(this.#store, owner);
    this.#states.set(owner, loading);
    loading.catch(() => {
      if (this.#states.get(owner) === loading) this.#states.delete(owner);
    });
    return loading;
  }
}

async function assertTopics(tx: Db, owner: string, rules: readonly PolicyRule[]): Promise<void> {
  for (const topicId of new Set(rules.flatMap((rule) => rule.topicId ?? [])))
    if (!(await getTopic(tx, owner, topicId)))
      throw new CeriseError('topic_not_found', `A rule names the topic ${topicId}, which is gone.`);
}
