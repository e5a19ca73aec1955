import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Assistant } from '#shared/vocabulary/message.ts';
import {
  countAssistants,
  deleteAssistant,
  getAssistant,
  insertAssistant,
  listAssistants,
  updateAssistant,
} from '#store/configuration/assistants.ts';
import { deleteServersOfAssistant } from '#store/configuration/servers.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { Servers } from './servers.ts';
import type { SessionServers } from './session-servers.ts';

type Fields = Pick<Assistant, 'name' | 'systemPrompt' | 'model' | 'parameters' | 'mcp'>;
/** Null removes the assistant's own model. */
export type AssistantChange = {
  [Key in keyof Fields]?: Fields[Key] | undefined | (Key extends 'model' ? null : never);
};

interface AssistantsDeps {
  store: Store;
  servers: Pick<Servers, 'addAll' | 'check'>;
  sessions: Pick<SessionServers, 'assistantDeleted'>;
  limits: Pick<Limits, 'assistantsPerOwner'>;
  now: () => number;
}

/** The assistants of an owner; the one with the id `default` is always there. */
export class Assistants {
  readonly #deps: AssistantsDeps;

  constructor(deps: AssistantsDeps) {
    this.#deps = deps;
  }

  async list(owner: string): Promise<Assistant[]> {
    return listAssistants(this.#deps.store.db, owner);
  }

  /** `sessionServers` are attached to the new assistant: all of it is there, or nothing. */
  async create(
    owner: string,
    fields: Fields,
    sessionServers: readonly unknown[] = [],
  ): Promise<Assistant> {
    await this.#deps.servers.check(owner, fields.mcp.selectedServers);
    const at = this.#deps.now();
    const assistant = { ...fields, id: randomUUIDv7(), createdAt: at, updatedAt: at };
    await this.#deps.servers.addAll(owner, sessionServers, {
      attachedTo: { assistant: assistant.id },
      before: (tx) => addAssistant(tx, owner, assistant, this.#deps.limits),
    });
    return assistant;
  }

  async update(
    owner: string,
    id: string,
    { model, ...change }: AssistantChange,
  ): Promise<Assistant> {
    if (change.mcp) await this.#checkNew(owner, id, change.mcp.selectedServers);
    return transactSerially(this.#deps.store, `assistant ${owner} ${id}`, async (tx) => {
      const present = await getAssistant(tx, owner, id);
      if (!present) throw notFound();
      const { name = present.name, systemPrompt = present.systemPrompt } = change;
      const { parameters = present.parameters, mcp = present.mcp } = change;
      const fields = { name, systemPrompt, parameters, mcp };
      const next: Assistant = { ...present, ...fields, updatedAt: this.#deps.now() };
      if (model === null) delete next.model;
      else if (model !== undefined) next.model = model;
      if (!(await updateAssistant(tx, owner, next))) throw notFound();
      return next;
    });
  }

  /** What was chosen before may be gone by now, and stays; what is new must be there. */
  async #checkNew(owner: string, id: string, chosen: readonly string[]): Promise<void> {
    const present = await getAssistant(this.#deps.store.db, owner, id);
    if (!present) throw notFound();
    const before = new Set(present.mcp.selectedServers);
    await this.#deps.servers.check(
      owner,
      chosen.filter((server) => !before.has(server)),
    );
  }

  /** Its topics go over to the default assistant; the servers attached to it end. */
  async delete(owner: string, id: string): Promise<void> {
    if (id === 'default')
      throw new CeriseError(
        'conflict',
        say('default-assistant-stays')`The default assistant can't be deleted.`,
      );
    const deleted = await this.#deps.store.transaction(async (tx) => {
      await deleteServersOfAssistant(tx, owner, id);
      return deleteAssistant(tx, owner, id);
    });
    if (!deleted) throw notFound();
    await this.#deps.sessions.assistantDeleted(owner, id);
  }
}

/** Throws `too_many_requests` where somebody has as many as they may. */
export async function addAssistant(
  tx: Db,
  owner: string,
  assistant: Assistant,
  { assistantsPerOwner: most }: Pick<Limits, 'assistantsPerOwner'>,
): Promise<void> {
  if ((await countAssistants(tx, owner)) >= most)
    throw new CeriseError(
      'too_many_requests',
      say('assistants-at-most')`You can have up to ${counted(most, 'assistant')}.`,
    );
  await insertAssistant(tx, owner, assistant);
}

function notFound(): CeriseError {
  return new CeriseError(
    'assistant_not_found',
    say('assistant-gone')`This assistant doesn't exist.`,
  );
}
