import { toolChanged } from '#mcp/calls/assert-definition.ts';
import { definitionHash } from '#mcp/calls/definition-hash.ts';
import type { McpTool } from '#mcp/results/types.ts';
import type { ToolView } from '#shared/api/api.ts';
import type { Move } from '#shared/text/secret-address.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import {
  deletePins,
  insertPins,
  pinnedDefinitions,
  renewPins,
  replacePin,
} from '#store/calls/tool-pins.ts';
import {
  bumpPolicyVersion,
  deleteDecisionsOfServer,
  policyOwners,
} from '#store/configuration/policy-rules.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { deleteCredentials } from '#store/people/credentials.ts';
import {
  changedFailure,
  definitionOf,
  type PinnedTools,
  sortByPins,
} from '#tools/registry/pins.ts';
import type { LoadFailure, LoadOptions, ServerTool } from '#tools/registry/tools-loader.ts';
import { forgetMarks, toolKey } from './policy-state.ts';
import type { Policy } from './policy.ts';

/** What a changed launch does to what was approved: rows of the same transaction, then the memory. */
export interface LaunchChange {
  rows(tx: Db): Promise<void>;
  committed(): void;
}

/**
 * What servers of people said of their tools when they were approved. A tool is pinned when it is seen
 * for the first time; from then on a changed definition is neither offered nor called until a person
 * has approved it.
 */
export class ToolPins {
  readonly #store: Store;
  readonly #policy: Policy;
  readonly #now: () => number;

  constructor(deps: { store: Store; policy: Policy; now: () => number }) {
    this.#store = deps.store;
    this.#policy = deps.policy;
    this.#now = deps.now;
  }

  /**
   * Leaves out what is no longer as it was approved, and pins what is new. The pins of a server are
   * those of its owner, no matter who uses it.
   */
  check(): NonNullable<LoadOptions['pins']> {
    return async (found) => {
      const usable = new Set<ServerTool>();
      const problems: LoadFailure[] = [];
      for (const [owner, theirs] of Map.groupBy(found, ({ server }) => server.owner)) {
        const { approved, outdated, changed } = await this.#checkOwn(owner, theirs);
        for (const entry of [...approved, ...outdated]) usable.add(entry);
        problems.push(...changed.map(changedFailure));
      }
      return { usable: found.filter((entry) => usable.has(entry)), problems };
    };
  }

  async #checkOwn(owner: string, found: readonly ServerTool[]): Promise<PinnedTools> {
    const sorted = await this.#sort(owner, found);
    const { fresh, outdated } = sorted;
    if (fresh.length + outdated.length === 0) return sorted;
    await this.#policy.change(owner, async (tx) => {
      if (fresh.length > 0) await insertPins(tx, owner, fresh.map(toPin), this.#now());
      await renewPins(tx, owner, outdated.map(toPin));
    });
    return this.#sort(owner, found);
  }

  /** What a person is shown of each tool: its hash, and where it changed, before and after. */
  async facts(
    server: ServerRecord,
    tools: readonly McpTool[],
  ): Promise<Map<McpTool, Pick<ToolView, 'definitionHash' | 'changed' | 'safeToRepeat'>>> {
    const { owner, id, config } = server;
    const found = tools.map((tool) => ({ server, tool }));
    await this.check()(found);
    const { changed } = await this.#sort(owner, found);
    const before = changed.length === 0 ? new Map() : await this.#before(owner, id);
    const altered = new Set(changed.map(({ tool }) => tool));
    const { safeToRepeat, trusted } = await this.#policy.state(owner);
    const isTrusted = config.type === 'inMemory' || trusted.has(id);
    return new Map(
      tools.map((tool) => {
        const isMarked = safeToRepeat.has(toolKey(id, tool.name));
        const { readOnlyHint, idempotentHint } = tool.annotations;
        const isProposed = isTrusted && (readOnlyHint === true || idempotentHint === true);
        return [
          tool,
          {
            ...(config.type !== 'inMemory' && { definitionHash: definitionHash(tool) }),
            ...(altered.has(tool) && {
              changed: {
                before: before.get(sanitiseText(tool.name)) ?? null,
                after: definitionOf(tool),
              },
            }),
            ...(isMarked && { safeToRepeat: 'marked' as const }),
            ...(!isMarked && isProposed && { safeToRepeat: 'proposed' as const }),
          },
        ];
      }),
    );
  }

  /** Approves the definition a person saw. Throws `tool_changed` if the tool is another one by now. */
  async approve(server: ServerRecord, tool: McpTool, hash: string): Promise<void> {
    const { owner, id: serverId } = server;
    if (definitionHash(tool) !== hash) throw toolChanged(tool.name);
    const pin = { ...toPin({ server, tool }), definitionHash: hash };
    await this.#policy.change(owner, async (tx) => {
      await replacePin(tx, owner, pin, this.#now());
      const details = { toolName: tool.name, definitionHash: hash };
      await insertAudit(tx, { owner, action: 'tool.approve', subject: serverId, details });
    });
  }

  /**
   * The launch of a server is another one: no approval of a call of the old one is valid any longer.
   * Where it leads elsewhere, neither does anything else that was said of it, or stored for it.
   */
  launchChanged({ owner, id, config, shared }: ServerRecord, move: Move): LaunchChange {
    const elsewhere = move !== 'none';
    return this.#launchChange(async (tx) => {
      // Always in one order: two servers that change at once must not wait for each other.
      const owners = [...new Set([owner, ...(shared ? await policyOwners(tx) : [])])].toSorted();
      for (const each of owners) await bumpPolicyVersion(tx, each, this.#now());
      for (const each of owners) {
        await deleteDecisionsOfServer(tx, each, id);
        if (elsewhere) await forgetMarks(tx, each, id);
      }
      if (elsewhere) await deleteCredentials(tx, id, { exceptPins: move === 'within' });
      // A command is pinned again when it is approved, which somebody has to do before it runs.
      if (elsewhere && config.type !== 'stdio') await deletePins(tx, owner, id);
      return owners;
    });
  }

  /** A person approved another launch, and with it whatever that says of its tools next. */
  launchApproved({ owner, id }: ServerRecord): LaunchChange {
    return this.#launchChange(async (tx) => {
      await bumpPolicyVersion(tx, owner, this.#now());
      await deletePins(tx, owner, id);
      return [owner];
    });
  }

  /** `rows` says whose policies it changed. */
  #launchChange(rows: (tx: Db) => Promise<string[]>): LaunchChange {
    let changed: string[] = [];
    return {
      rows: async (tx) => {
        changed = await rows(tx);
      },
      committed: () => {
        for (const each of changed) this.#policy.forget(each);
      },
    };
  }

  async #sort(owner: string, found: readonly ServerTool[]) {
    const { pins } = await this.#policy.state(owner);
    return sortByPins(found, (serverId, name) => pins.get(toolKey(serverId, name)));
  }

  #before(owner: string, serverId: string) {
    return pinnedDefinitions(this.#store.db, owner, serverId);
  }
}

function toPin({ server, tool }: ServerTool) {
  return {
    serverId: server.id,
    toolName: tool.name,
    definitionHash: definitionHash(tool),
    definition: definitionOf(tool),
  };
}
