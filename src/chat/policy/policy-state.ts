import { sanitiseText } from '#shared/text/text.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { type PolicyDocument, policySchema } from '#shared/vocabulary/policy-api.ts';
import { listPins } from '#store/calls/tool-pins.ts';
import { listRules, policyVersion } from '#store/configuration/policy-rules.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import type { Db, Store } from '#store/database/store.ts';
import { type RankedRule, rankRules } from '#tools/policy/policy.ts';

/** Where the parts of a policy that are not rules are kept. */
export const marksKey = 'policy';

const marksSchema = policySchema.pick({ trustedServers: true, safeToRepeat: true });

/** Everything an owner's calls are judged by, as of one moment. */
export interface PolicyState {
  document: PolicyDocument;
  ranked: RankedRule[];
  trusted: ReadonlySet<string>;
  /** As `toolKey` writes them. */
  safeToRepeat: ReadonlySet<string>;
  pins: ReadonlyMap<string, string>;
}

/** One text for a tool of a server. */
export function toolKey(serverId: string, toolName: string): string {
  return JSON.stringify([serverId, sanitiseText(toolName)]);
}

/** Reads all of it at once. Marks of somebody who is no admin (any more) do not count. */
export async function loadPolicyState(
  store: Store,
  owner: string,
  isAdmin: boolean,
): Promise<PolicyState> {
  return store.snapshot(async (tx) => {
    const rules = await listRules(tx, owner);
    const pins = await listPins(tx, owner);
    const marks = isAdmin ? await readMarks(tx, owner) : { trustedServers: [], safeToRepeat: [] };
    const { trustedServers, safeToRepeat } = marks;
    return {
      document: { rules, ...marks, version: await policyVersion(tx, owner) },
      ranked: rankRules(rules),
      trusted: new Set(trustedServers),
      safeToRepeat: new Set(safeToRepeat.map((tool) => toolKey(tool.serverId, tool.toolName))),
      pins: new Map(pins.map((pin) => [toolKey(pin.serverId, pin.toolName), pin.definitionHash])),
    };
  });
}

/** Takes back what an admin said of a server. */
export async function forgetMarks(tx: Db, owner: string, serverId: string): Promise<void> {
  const { trustedServers, safeToRepeat } = await readMarks(tx, owner);
  await setSetting(tx, owner, marksKey, {
    trustedServers: trustedServers.filter((id) => id !== serverId),
    safeToRepeat: safeToRepeat.filter((tool) => tool.serverId !== serverId),
  });
}

/** The marks of servers and tools that an admin set. */
async function readMarks(db: Db, owner: string) {
  const stored: Json = (await getSetting(db, owner, marksKey)) ?? {};
  return marksSchema.parse(stored);
}
