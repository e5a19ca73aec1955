import { CeriseError, isUnreadable } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import {
  type PolicyDocument,
  type PolicyRule,
  type Unasked,
  type WritePolicy,
  writePolicySchema,
} from '#shared/vocabulary/policy-api.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { PolicyCall, PolicyVerdict, Tool } from '#shared/vocabulary/tool.ts';
import {
  bumpPolicyVersion,
  policyVersion,
  policyVersions,
  replaceRules,
} from '#store/configuration/policy-rules.ts';
import { setSetting } from '#store/configuration/settings.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { matchesWildcard } from '#tools/policy/policy-arguments.ts';
import { type ToolFacts, toolFacts } from '#tools/policy/policy-match.ts';
import { evaluatePolicy } from '#tools/policy/policy.ts';
import { assertMaySet } from '../people/admin-fields.ts';
import type { Signals } from '../topic/signals.ts';
import { loadPolicyState, marksKey, type PolicyState, toolKey } from './policy-state.ts';

/** People whose policy is kept in memory; beyond that the one loaded first is dropped and read again when needed. */
const maxStates = 500;

/** What the policy has to know of servers and of people. */
export interface PolicyServers {
  /** Only admins vouch for servers and tools. */
  isAdmin(owner: string): boolean;
  /** Undefined where there is no such server. */
  ownerOf(serverId: string): string | undefined;
  /** Throws `server_not_found` for what is not there for this owner. */
  check(owner: string, named: readonly string[]): Promise<void>;
}

interface PolicyDeps {
  store: Store;
  signals: Signals;
  now: () => number;
  servers?: PolicyServers | undefined;
}

/**
 * The one policy in front of every call. What it judges by is kept in memory and read again after a
 * change: this host forgets it by itself, others when `reload` tells them.
 */
export class Policy {
  readonly #deps: PolicyDeps;
  readonly #states = new Map<string, Promise<PolicyState>>();

  /** Without `servers` all servers are the caller's. */
  constructor(deps: PolicyDeps) {
    this.#deps = deps;
  }

  /**
   * The verdict on a call. `isTainted` is asked only where it makes a difference. A server that somebody
   * else shares is held to what they approved of it, and what they forbid there is forbidden.
   */
  async judge(call: PolicyCall, isTainted: () => Promise<boolean>): Promise<PolicyVerdict> {
    const { serverId } = call;
    const state = await this.state(call.owner);
    const theirs = await this.#sharer(call.owner, serverId);
    const trusted = call.trusted || state.trusted.has(serverId);
    const trustedCall = { ...call, trusted: trusted || theirs?.trusted.has(serverId) === true };
    const pin = (theirs ?? state).pins.get(toolKey(serverId, call.toolName));
    const shared =
      theirs && evaluatePolicy(trustedCall, { rules: theirs.ranked, pin, tainted: false });
    if (shared?.action === 'deny') return shared;
    const judge = (tainted: boolean) =>
      evaluatePolicy(trustedCall, { rules: state.ranked, pin, tainted });
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
    await this.#checkServers(owner, policy);
    if (!this.#isAdmin(owner)) assertMaySet(writePolicySchema, policy);
    await this.change(
      owner,
      async (tx) => {
        await assertTopics(tx, owner, rules);
        await replaceRules(tx, owner, rules, this.#deps.now());
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
    const states = [await this.state(owner), await this.#sharer(owner, serverId)];
    return states.some((state) => state?.safeToRepeat.has(toolKey(serverId, toolName)));
  }

  /** What is known of a tool: whether its server is trusted, and what it may then be believed in. */
  async facts(owner: string, tool: Tool): Promise<ToolFacts & { trusted: boolean }> {
    const trusted = tool.trusted || (await this.isTrusted(owner, tool.serverId));
    return { ...toolFacts(tool.annotations, trusted), trusted };
  }

  /** Whether an admin trusts a server that does not ship with Cerise. */
  async isTrusted(owner: string, serverId: string): Promise<boolean> {
    const states = [await this.state(owner), await this.#sharer(owner, serverId)];
    return states.some((state) => state?.trusted.has(serverId));
  }

  /** Whether rules about certain arguments or a topic may decide on a call otherwise. */
  async varies({ owner, serverId, toolName }: PolicyCall): Promise<boolean> {
    const { document } = await this.state(owner);
    return document.rules.some(
      (rule) =>
        (rule.arguments?.length || rule.argsHash !== undefined || rule.topicId !== undefined) &&
        matchesWildcard(serverId, rule.serverId ?? '*') &&
        matchesWildcard(toolName, rule.toolName ?? '*'),
    );
  }

  /** What of a server runs without asking its user, by all their settings. */
  async unasked(owner: string, { id, config }: ServerRecord): Promise<Unasked> {
    const state = await this.state(owner);
    const theirs = await this.#sharer(owner, id);
    const states = theirs ? [state, theirs] : [state];
    const marks = states.flatMap(({ document }) => document.safeToRepeat);
    const tools = marks.filter(({ serverId }) => serverId === id).map(({ toolName }) => toolName);
    const trusted = config.type === 'inMemory' || states.some((each) => each.trusted.has(id));
    return {
      autoApprove: config.autoApprove ?? [],
      trusted,
      safeToRepeat: [...new Set(tools)],
      rules: state.document.rules.filter((rule) => mayAllow(rule, id, trusted)),
    };
  }

  /** Changes what calls are judged by, under a new version. */
  async change(
    owner: string,
    rows: (tx: Db) => Promise<unknown>,
    expected?: string,
  ): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      await bumpPolicyVersion(tx, owner, this.#deps.now(), expected);
      await rows(tx);
    });
    this.forget(owner);
  }

  /** What is in memory is not true any more; call it after the change is committed. */
  forget(owner: string): void {
    this.#states.delete(owner);
    this.#rulesChanged(owner);
    void this.#deps.signals.tell('tell-changed', {});
  }

  /** Another host may have changed the policy: one small query, and nothing more if it has not. */
  async reload(owner: string): Promise<void> {
    if (this.#states.has(owner))
      await this.#compare(owner, await policyVersion(this.#deps.store.db, owner));
  }

  /** The same for everybody whose policy is in memory. */
  async reloadAll(): Promise<void> {
    const versions = await policyVersions(this.#deps.store.db, [...this.#states.keys()]);
    for (const [owner, version] of versions) await this.#compare(owner, version);
  }

  /** Forgets what is in memory of an owner if it is of another version. */
  async #compare(owner: string, version: string): Promise<void> {
    const state = this.#states.get(owner);
    if (!state || (await state).document.version === version) return;
    if (this.#states.get(owner) === state) this.#states.delete(owner);
    this.#rulesChanged(owner);
  }

  /** What calls are judged by now. */
  state(owner: string): Promise<PolicyState> {
    const state = this.#states.get(owner);
    if (state) return state;
    const [oldest] = this.#states.keys();
    if (this.#states.size >= maxStates && oldest !== undefined) this.#states.delete(oldest);
    const loading = loadPolicyState(this.#deps.store, owner, this.#isAdmin(owner));
    this.#states.set(owner, loading);
    loading.catch(() => {
      if (this.#states.get(owner) === loading) this.#states.delete(owner);
    });
    return loading;
  }

  /** Somebody became an admin or is none any more, so other marks count. */
  roleChanged(owner: string): void {
    this.#states.delete(owner);
    this.#rulesChanged(owner);
  }

  #rulesChanged(owner: string): void {
    void this.#deps.signals.tell('rules-changed', { owner });
  }

  #isAdmin(owner: string): boolean {
    return this.#deps.servers?.isAdmin(owner) ?? true;
  }

  /** By what the owner of a shared server judges it; undefined for the caller's own. */
  async #sharer(owner: string, serverId: string): Promise<PolicyState | undefined> {
    const sharer = this.#deps.servers?.ownerOf(serverId);
    return sharer === undefined || sharer === owner ? undefined : this.state(sharer);
  }

  /** What was named before may be gone by now, and stays; what is new must be there. */
  async #checkServers(owner: string, policy: WritePolicy): Promise<void> {
    const before = await this.#namedBefore(owner);
    const fresh = [...namedServers(policy)].filter((serverId) => !before.has(serverId));
    await this.#deps.servers?.check(owner, fresh);
  }

  /** Of a policy that is damaged nothing counts as there: it can be replaced. */
  async #namedBefore(owner: string): Promise<ReadonlySet<string>> {
    try {
      return namedServers((await this.state(owner)).document);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return new Set();
    }
  }
}

/** Whether a rule may let a call of a server run: labels of one that is not trusted meet no such rule. */
function mayAllow(rule: PolicyRule, id: string, isTrusted: boolean): boolean {
  const { action, serverId = '*', trusted = isTrusted, annotations = {} } = rule;
  const isLabelled = Object.values(annotations).some((value) => value !== undefined);
  if (action !== 'allow' || trusted !== isTrusted) return false;
  return (isTrusted || !isLabelled) && matchesWildcard(id, serverId);
}

/** The servers a policy names, as far as names are meant and not patterns. */
function namedServers({ rules, trustedServers, safeToRepeat }: NamesServers): Set<string> {
  const ofRules = rules.flatMap(({ serverId }) =>
    serverId?.includes('*') ? [] : (serverId ?? []),
  );
  return new Set([...ofRules, ...trustedServers, ...safeToRepeat.map(({ serverId }) => serverId)]);
}

type NamesServers = Pick<WritePolicy, 'rules' | 'trustedServers' | 'safeToRepeat'>;

async function assertTopics(tx: Db, owner: string, rules: readonly PolicyRule[]): Promise<void> {
  for (const topicId of new Set(rules.flatMap((rule) => rule.topicId ?? [])))
    if (!(await getTopic(tx, owner, topicId)))
      throw new CeriseError(
        'topic_not_found',
        say('rule-topic-gone')`A rule refers to the chat ${topicId}, which no longer exists.`,
      );
}
