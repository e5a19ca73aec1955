import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall, ToolAnnotations } from '#shared/vocabulary/tool.ts';
import { type Fit, type FitsArgument, matchesWildcard } from './policy-arguments.ts';

/** What is known of a tool; undefined is not known. */
export interface ToolFacts {
  readOnly: boolean | undefined;
  destructive: boolean | undefined;
  idempotent: boolean | undefined;
  openWorld: boolean | undefined;
}

/** What may be believed of hints: all of a trusted server, only warnings of any other. */
export function toolFacts(annotations: ToolAnnotations, trusted: boolean): ToolFacts {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  if (!trusted)
    return {
      readOnly: readOnlyHint === false ? false : undefined,
      destructive: destructiveHint === true ? true : undefined,
      idempotent: idempotentHint === false ? false : undefined,
      openWorld: openWorldHint === true ? true : undefined,
    };
  return {
    readOnly: readOnlyHint,
    destructive: readOnlyHint === true ? false : destructiveHint,
    idempotent: idempotentHint,
    openWorld: openWorldHint,
  };
}

/**
 * Whether a rule is about a call. What is in doubt (a hint that nobody gave, or nobody trusted; an
 * argument that is odd) is met by rules that ask or deny and not by those that allow: doubt never loosens.
 */
export function meets(
  rule: PolicyRule,
  call: PolicyCall,
  facts: ToolFacts,
  fitsArgument: FitsArgument,
): boolean {
  const fits = conditionFits(rule, call, facts, fitsArgument);
  if (fits.includes('no')) return false;
  return rule.action !== 'allow' || !fits.includes('doubt');
}

function conditionFits(
  rule: PolicyRule,
  call: PolicyCall,
  facts: ToolFacts,
  fitsArgument: FitsArgument,
): Fit[] {
  const { serverId = '*', toolName = '*', topicId, trusted, argsHash } = rule;
  const plain =
    matchesWildcard(call.serverId, serverId) &&
    matchesWildcard(call.toolName, toolName) &&
    (topicId === undefined || topicId === call.topicId) &&
    (trusted === undefined || trusted === call.trusted) &&
    (argsHash === undefined || argsHash === call.argsHash);
  if (!plain) return ['no'];
  return [
    ...Object.entries(rule.annotations ?? {}).map(([name, wanted]): Fit => {
      const known = call.trusted ? facts[name as keyof ToolFacts] : undefined;
      if (wanted === undefined || known === wanted) return 'yes';
      return known === undefined ? 'doubt' : 'no';
    }),
    ...(rule.arguments ?? []).map(fitsArgument),
  ];
}

/**
 * How much a rule is about one thing. Exact arguments weigh more than conditions on them, these more
 * than the topic, then the tool, the server, its hints and its trust; a pattern less than a name.
 */
export function specificity(rule: PolicyRule): number {
  const conditions = Math.min(rule.arguments?.length ?? 0, 20);
  const hints = Object.values(rule.annotations ?? {}).filter((wanted) => wanted !== undefined);
  const digits = [
    rule.argsHash === undefined ? 0 : 1,
    conditions,
    rule.topicId === undefined ? 0 : 1,
    nameWeight(rule.toolName),
    nameWeight(rule.serverId),
    hints.length,
    rule.trusted === undefined ? 0 : 1,
  ];
  return digits.reduce((sum, digit) => sum * 32 + digit, 0);
}

function nameWeight(pattern: string | undefined): number {
  if (pattern === undefined || /^\*+$/.test(pattern)) return 0;
  return pattern.includes('*') ? 1 : 2;
}
