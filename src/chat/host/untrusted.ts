import { findUntrustedWords } from '#mcp/builtin/filesystem/workspace-untrusted.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Trust, UntrustedView } from '#shared/api/untrusted-api.ts';
import { readGraph, untrustedParts } from '#store/calls/memory.ts';
import {
  createProvenance,
  forgetOrigins,
  listUntrusted,
  noteOrigins,
} from '#store/calls/provenance.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { workspaceOf } from './create-mcp.ts';

/** How many entries of each kind are listed; the rest follows once these are trusted. */
const maxListed = 1000;
const fileKey = /^(?:content|name):[A-Za-z0-9_-]{43}$/;

interface UntrustedDeps {
  store: Store;
  home: string;
  mcp: Pick<McpService, 'servers'>;
  now: () => number;
}

/** Stored data of people that came from untrusted sources, for review. */
export class Untrusted {
  readonly #deps: UntrustedDeps;

  constructor(deps: UntrustedDeps) {
    this.#deps = deps;
  }

  async list(owner: string): Promise<UntrustedView> {
    const { db } = this.#deps.store;
    const folder = workspaceOf(this.#deps.home, owner);
    const provenance = createProvenance(this.#deps.store, owner);
    const memory = await untrustedParts(db, owner, await readGraph(db, owner));
    const files = await findUntrustedWords(folder, provenance, maxListed);
    const servers = await listUntrusted(db, owner, 'server');
    const names = new Map(this.#deps.mcp.servers().map(({ id, config }) => [id, config.name]));
    return {
      // Always read whole, since trust applies to all of it; a person's memory is bounded.
      memory: memory.slice(0, maxListed),
      files: files.found,
      servers: servers.map((one) => ({ ...one, name: names.get(one.key) ?? one.key })),
      complete: files.complete && memory.length <= maxListed,
    };
  }

  /** Trusts exactly the texts with these keys; a changed text is untrusted again. */
  async trust(owner: string, { memory, files, servers }: Trust): Promise<void> {
    const at = this.#deps.now();
    await this.#deps.store.transaction(async (tx) => {
      const deps = await untrustedParts(tx, owner, await readGraph(tx, owner));
      const kept = new Set(deps.map(({ key }) => key));
      const known = memory.filter((key) => kept.has(key));
      const ofFiles = files.filter((key) => fileKey.test(key));
      const noted = { owner, origins: [], at };
      await noteOrigins(tx, { ...noted, place: 'memory', keys: known });
      await noteOrigins(tx, { ...noted, place: 'files', keys: ofFiles });
      await forgetOrigins(tx, owner, 'server', servers);
      const details = { memory: known.length, files: ofFiles.length, servers };
      await insertAudit(tx, { owner, action: 'untrusted.trust', subject: owner, details }, at);
    });
  }
}
