import { hash } from 'node:crypto';
import { canonicalJson } from '#mcp/schema/canonical-json.ts';
import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { isPinnedAs } from '#shared/text/pin-hash.ts';
import type { PolicyReason, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall, PolicyVerdict } from '#shared/vocabulary/tool.ts';
import { argumentJudge, hostOf } from './policy-arguments.ts';
import { meets, specificity, type ToolFacts, toolFacts } from './policy-match.ts';
import { reasonWords, ruleWords } from './policy-words.ts';

const hashBounds = { depth: 500, nodes: 1_000_000 };

/** A rule with how specific it is. */
export interface RankedRule {
  rule: PolicyRule;
  weight: number;
}

/** What a call is judged by, besides itself. */
export interface PolicyContext {
  /** As `rankRules` gives them. */
  rules: readonly RankedRule[];
  /** The hash of the definition that a person approved, where the tool is pinned. */
  pin?: string | undefined;
  /** Something from an untrusted source was read before. */
  tainted: boolean;
}

const strictness = { deny: 0, ask: 1, allow: 2 };

/** Rules in the order in which they are asked: specific before general, then deny, ask, allow. */
export function rankRules(rules: readonly PolicyRule[]): RankedRule[] {
  return rules
    .map((rule) => ({ rule, weight: specificity(rule) }))
    .toSorted(
      (a, b) => b.weight - a.weight || strictness[a.rule.action] - strictness[b.rule.action],
    );
}

/**
 * Whether a call may run, must be asked about or is refused, and by which rule. The first rule that
 * meets it decides, else the defaults; a changed tool is refused, and after a taint what may destroy
 * something asks unless a person allowed exactly these arguments. Pure and total.
 */
export function evaluatePolicy(call: PolicyCall, context: PolicyContext): PolicyVerdict {
  const facts = toolFacts(call.annotations, call.trusted);
  const untrusted = !call.trusted || facts.openWorld === true;
  const judged = judge(call, facts, context);
  const verdict = judged.action === 'allow' && call.asks ? because('ask', 'replay') : judged;
  const host = verdict.action === 'ask' ? hostOf(call.arguments)?.host : undefined;
  return {
    ...verdict,
    ...(untrusted && { untrusted }),
    ...(host !== undefined && { host }),
  };
}

/** Binds an approval to the exact arguments: equal for equal JSON, whatever the order of keys. */
export function argumentsHash(args: JsonObject): string {
  const problem = boundsProblem(args, hashBounds);
  if (problem) throw new CeriseError('invalid_arguments', say('the-value')`The value ${problem}.`);
  return hash('sha256', canonicalJson(args));
}

function judge(call: PolicyCall, facts: ToolFacts, context: PolicyContext): PolicyVerdict {
  const { definitionHash } = call;
  const { pin } = context;
  if (pin !== undefined && definitionHash !== undefined && !isPinnedAs(pin, definitionHash))
    return { ...because('deny', 'tool_changed'), code: 'tool_changed' };
  const found = firstRule(call, facts, context.rules);
  const verdict = found ? toVerdict(call, found) : defaultVerdict(call, facts);
  if (verdict.action !== 'allow' || !context.tainted) return verdict;
  if (isHarmless(facts) || found?.argsHash !== undefined) return verdict;
  return because('ask', 'untrusted_words');
}

/** What the owner set in the config of the server weighs as much as a rule about this very tool. */
function firstRule(
  call: PolicyCall,
  facts: ToolFacts,
  rules: readonly RankedRule[],
): PolicyRule | undefined {
  const fitsArgument = argumentJudge(call.arguments);
  const found = rules.find(({ rule }) => meets(rule, call, facts, fitsArgument));
  if (!call.autoApproved) return found?.rule;
  return found && found.weight >= toolWeight ? found.rule : autoApproved;
}

const autoApproved: PolicyRule = { action: 'allow', note: reasonWords.server_settings };
const toolWeight = specificity({ action: 'allow', serverId: 's', toolName: 't' });

function toVerdict(call: PolicyCall, rule: PolicyRule): PolicyVerdict {
  const { action, id } = rule;
  if (rule === autoApproved) return because(action, 'server_settings');
  const words = ruleWords(rule, call);
  return { action, rule: words, byRule: rule, ...(id !== undefined && { ruleId: id }) };
}

/** Hints that warn are believed from anybody; hints that reassure only from trusted servers. */
function defaultVerdict({ trusted }: PolicyCall, facts: ToolFacts): PolicyVerdict {
  const { readOnly, destructive, openWorld } = facts;
  if (readOnly === true && openWorld !== true) return because('allow', 'read_only');
  if (destructive === true) return because('ask', 'may_destroy');
  if (!trusted) return because('ask', 'untrusted_server');
  return because('ask', openWorld === true ? 'reaches_out' : 'may_change');
}

function because(action: PolicyVerdict['action'], reason: PolicyReason): PolicyVerdict {
  return { action, rule: reasonWords[reason], reason };
}

/** Known not to destroy anything; what nobody said may. */
function isHarmless({ readOnly, destructive }: ToolFacts): boolean {
  return readOnly === true || destructive === false;
}
