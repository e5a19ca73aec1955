import { z } from 'zod';
import { schemaWords } from '../errors/schema-words.ts';
import { exactObject } from './fields.ts';
import { adminOnly } from './field-marks.ts';
import type { JsonObject } from './json.ts';

/** Schemas of the approval policy and of decisions, as clients send and get them. */

const id = z.string().min(1).max(200);
const hash = z.string().min(1).max(200);
const pattern = z.string().min(1).max(256);
const pointer = z
  .string()
  .max(1000)
  .regex(/^(?:\/.*)?$/s, schemaWords.pointer.text);

/**
 * What an argument must be. `pointer` (RFC 6901) says which; `host` looks at every address in the
 * value it points to, so an empty pointer means all of the arguments.
 */
const argumentConditionSchema = z.union([
  z.strictObject({ pointer, equals: z.json() }),
  z.strictObject({ pointer, prefix: z.string().min(1).max(1000) }),
  z.strictObject({ pointer, glob: pattern }),
  z.strictObject({ pointer, host: pattern }),
]);
export type ArgumentCondition = z.infer<typeof argumentConditionSchema>;

const annotationConditionsSchema = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});

const policyActions = ['allow', 'ask', 'deny'] as const;

/** One rule: what to do with the calls that meet all of its conditions. Without any it meets every call. */
export const policyRuleSchema = z.strictObject({
  id: id.optional(),
  action: z.enum(policyActions),
  /** An id of a server; `*` stands for any characters. */
  serverId: pattern.optional(),
  toolName: pattern.optional(),
  annotations: annotationConditionsSchema.optional(),
  arguments: z.array(argumentConditionSchema).max(20).optional(),
  /** Exactly these arguments. */
  argsHash: hash.optional(),
  topicId: id.optional(),
  trusted: z.boolean().optional(),
  /** Words for people; shown where the rule decides. */
  note: z.string().max(300).optional(),
  /** `decision`: remembered when a person decided on a call. */
  source: z.enum(['written', 'decision']).optional(),
});
export type PolicyRule = z.infer<typeof policyRuleSchema>;

const policyFields = {
  rules: z.array(policyRuleSchema).max(3000),
  /** Servers of people whose hints about their tools are believed, besides the built-in ones. */
  trustedServers: adminOnly(z.array(id).max(1000), 'trust').default([]),
  /** Calls of these tools may be repeated where it is not known whether they happened. */
  safeToRepeat: adminOnly(
    z.array(z.strictObject({ serverId: id, toolName: z.string().min(1).max(256) })).max(5000),
    'trust',
  ).default([]),
};
export const policySchema = z.object({ ...policyFields, version: z.string() });
export type PolicyDocument = z.infer<typeof policySchema>;
/** With `version`, refused with `conflict` unless the policy is still that one. */
export const writePolicySchema = z.strictObject({
  ...policyFields,
  version: z.string().max(200).optional(),
});
export type WritePolicy = z.infer<typeof writePolicySchema>;

export const testPolicySchema = z.strictObject({
  serverId: id,
  toolName: z.string().min(1).max(256),
  arguments: exactObject.default({}),
  topicId: id.optional(),
  /** As if an untrusted source had spoken before. */
  tainted: z.boolean().optional(),
});
export type TestPolicy = z.infer<typeof testPolicySchema>;
/** Why a call runs, asks or is refused where no rule says so. */
export const policyReasons = [
  'tool_changed',
  'untrusted_words',
  'server_settings',
  'read_only',
  'may_destroy',
  'untrusted_server',
  'reaches_out',
  'may_change',
  'replay',
] as const;
export type PolicyReason = (typeof policyReasons)[number];
export const policyVerdictSchema = z.object({
  action: z.enum(policyActions),
  rule: z.string(),
  /** The same as a code, where no rule decided. */
  reason: z.enum(policyReasons).optional(),
  ruleId: z.string().optional(),
  code: z.string().optional(),
});
export type TestedVerdict = z.infer<typeof policyVerdictSchema>;

const decisionFields = {
  decision: z.enum(['approve', 'deny']),
  argsHash: z.string(),
  /** Run with these instead; they must fit the schema of the tool. */
  arguments: exactObject.optional(),
  /** All but `once` remember the decision: for this tool, these arguments or this host. */
  scope: z.enum(['once', 'topic', 'arguments', 'host', 'always']).default('once'),
};
export const decisionSchema = z.strictObject(decisionFields);
/** A person's word on one call, for exactly the arguments that were shown. */
export type Decision = Omit<z.infer<typeof decisionSchema>, 'arguments'> & {
  arguments?: JsonObject | undefined;
};
export const decisionsSchema = z.strictObject({
  decisions: z
    .array(z.strictObject({ toolCallId: id, ...decisionFields }))
    .min(1)
    .max(100),
});

/** What a server may do without anybody being asked about each call, as far as it concerns the reader. */
export const unaskedSchema = z.object({
  /** Tools that its settings let run; `*` stands for all of them. */
  autoApprove: z.array(z.string()),
  /** What it says of its tools is believed: those that it calls read-only run. */
  trusted: z.boolean(),
  /** Tools whose calls are repeated where it is not known whether they happened. */
  safeToRepeat: z.array(z.string()),
  /** The reader's own rules that allow calls of it, those for every server included. */
  rules: z.array(policyRuleSchema),
});
export type Unasked = z.infer<typeof unaskedSchema>;

export const approveToolSchema = z.strictObject({ definitionHash: hash });
