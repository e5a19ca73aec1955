import { createHash } from 'node:crypto';
import { CeriseError } from '#shared/errors.ts';
import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { canonicalJson } from '#mcp/schema/canonical-json.ts';
import type { JsonObject } from '#shared/json.ts';
import type { PolicyCall, PolicyVerdict } from '#shared/tool.ts';

const hashBounds = { depth: 500, nodes: 1_000_000 };

/** A remembered decision about one tool, for one topic or for all. */
export interface PolicyRule {
  effect: 'allow' | 'deny';
  serverId: string;
  toolName: string;
  topicId?: string;
}

/**
 * Whether a call may run, must be asked about or is refused. A deny rule wins; read-only tools of
 * trusted servers that touch nothing outside run, and so do those the owner of the server chose;
 * everything else asks. Pure.
 */
export function evaluatePolicy(call: PolicyCall, rules: readonly PolicyRule[]): PolicyVerdict {
  const matching = rules.filter((rule) => matches(rule, call));
  const denied = matching.find(({ effect }) => effect === 'deny');
  if (denied) return { action: 'deny', rule: `${call.toolName} was denied ${scopeOf(denied)}` };
  const { readOnlyHint, openWorldHint } = call.annotations;
  if (call.trusted && readOnlyHint === true && openWorldHint !== true) {
    return { action: 'allow', rule: 'read-only tools of trusted servers run without asking' };
  }
  const allowed = matching.find(({ effect }) => effect === 'allow');
  if (allowed) return { action: 'allow', rule: `${call.toolName} was allowed ${scopeOf(allowed)}` };
  if (call.autoApproved) return { action: 'allow', rule: 'the settings of its server allow it' };
  return { action: 'ask', rule: reasonToAsk(call) };
}

/** Binds an approval to the exact arguments: equal for equal JSON, whatever the order of keys. */
export function argumentsHash(args: JsonObject): string {
  const problem = boundsProblem(args, hashBounds);
  if (problem) throw new CeriseError('invalid_arguments', `The value ${problem}.`);
  return createHash('sha256').update(canonicalJson(args)).digest('hex');
}

function matches(rule: PolicyRule, call: PolicyCall): boolean {
  return (
    rule.serverId === call.serverId &&
    rule.toolName === call.toolName &&
    (rule.topicId === undefined || rule.topicId === call.topicId)
  );
}

function scopeOf({ topicId }: PolicyRule): string {
  return topicId === undefined ? 'always' : 'for this topic';
}

/** Hints that warn are believed from anybody; hints that reassure only from trusted servers. */
function reasonToAsk({ trusted, annotations }: PolicyCall): string {
  if (annotations.destructiveHint === true) return 'the tool says that it may destroy data';
  if (!trusted) return 'tools of servers that are not trusted ask first';
  if (annotations.openWorldHint === true) return 'the tool reaches beyond this machine';
  return 'the tool may change something';
}
