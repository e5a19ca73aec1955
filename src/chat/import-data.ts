import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ModelCatalogs } from '#models/catalog.ts';
import type { ImportQuery, ImportResult } from '#shared/data-api.ts';
import { CeriseError, isStorageTrouble } from '#shared/errors.ts';
import type { HostEvent } from '#shared/event.ts';
import type { ExportLine } from '#shared/export-file.ts';
import type { Assistant, ToolSelection } from '#shared/message.ts';
import type { Attachment, ServerConfig } from '#shared/server.ts';
import { getAssistant, insertAssistant } from '#store/assistants.ts';
import type { Blobs } from '#store/blobs.ts';
import type { Store } from '#store/store.ts';
import { getTopic } from '#store/topics.ts';
import { checkImport } from './import-check.ts';
import type { ImportFile, ImportLines } from './import-file.ts';
import { importTopic, skipTopic } from './import-topic.ts';
import type { Servers } from './servers.ts';
import type { Settings } from './settings.ts';

/** What an import writes to. */
export interface ImportParts {
  store: Store;
  blobs: Blobs;
  servers: Pick<Servers, 'addAll' | 'list'>;
  settings: Pick<Settings, 'own' | 'fill'>;
  models: Pick<ModelCatalogs, 'of'>;
  /** Told of each topic that came in. */
  emit: (owner: string, event: HostEvent) => void;
}

type Line<K extends ExportLine['kind']> = Extract<ExportLine, { kind: K }>;

/** What an import would bring in. Changes nothing. */
export async function tryImport(
  { store, servers }: ImportParts,
  owner: string,
  file: ImportFile,
  { existing }: Pick<ImportQuery, 'existing'>,
): Promise<ImportResult> {
  let skippedTopics = 0;
  const isHere = async (line: ExportLine): Promise<boolean> => {
    if (line.kind === 'assistant') {
      const present = await getAssistant(store.db, owner, line.assistant.id);
      return present !== undefined && isSame(present, line.assistant);
    }
    if (existing === 'copy') return false;
    if (line.kind === 'server')
      return !line.server.attachedTo && namedServer(servers, owner, nameOf(line)) !== undefined;
    if (line.kind !== 'topic' || !(await getTopic(store.db, owner, line.topic.id))) return false;
    skippedTopics += 1;
    return true;
  };
  const counts = await checkImport(file.read(), isHere);
  return { ...counts, skippedTopics, leftOut: [] };
}

function namedServer(servers: ImportParts['servers'], owner: string, name: string) {
  return servers.list(owner).find((one) => one.name === name && !one.attachedTo);
}

function nameOf({ server: { id, config } }: Line<'server'>): string {
  return typeof config['name'] === 'string' ? config['name'] : id;
}

/** Brings in what a checked file holds. Nothing that is here is changed. */
export class DataImport {
  readonly #parts: ImportParts;
  readonly #owner: string;
  readonly #existing: ImportQuery['existing'];
  readonly #names = { assistant: new Map<string, string>(), server: new Map<string, string>() };
  readonly #topics = new Map<string, string>();
  readonly #result: ImportResult = {
    topics: 0,
    messages: 0,
    files: 0,
    assistants: 0,
    servers: 0,
    skippedTopics: 0,
    leftOut: [],
  };

  constructor(parts: ImportParts, owner: string, existing: ImportQuery['existing']) {
    this.#parts = parts;
    this.#owner = owner;
    this.#existing = existing;
  }

  async run(lines: ImportLines): Promise<ImportResult> {
    for (let line = await lines.take(); line; line = await lines.take()) {
      if (line.kind === 'settings') await this.#settings(line);
      else if (line.kind === 'assistant') await this.#assistant(line);
      else if (line.kind === 'server') await this.#server(line);
      else if (line.kind === 'topic') await this.#topic(lines, line);
    }
    return this.#result;
  }

  /** A choice that was made here stays; a model that is not here is not chosen. */
  async #settings({ settings }: Line<'settings'>): Promise<void> {
    const present = await this.#parts.settings.own(this.#owner);
    const { reasoningEffort } = settings;
    const chosen: typeof present = {};
    if (reasoningEffort && !present.reasoningEffort) chosen.reasoningEffort = reasoningEffort;
    for (const field of ['defaultModel', 'titleModel', 'translationModel'] as const) {
      const model = settings[field];
      if (model === undefined || present[field] !== undefined) continue;
      await this.#orLeaveOut(model, async () => {
        await this.#parts.models.of(this.#owner).resolve(model);
        chosen[field] = model;
      });
    }
    if (Object.keys(chosen).length > 0) await this.#parts.settings.fill(this.#owner, chosen);
  }

  /** The same one is there already, or it comes in beside whatever has its id. */
  async #assistant(line: Line<'assistant'>): Promise<void> {
    const { store } = this.#parts;
    const assistant: Assistant = { ...line.assistant, mcp: this.#selection(line.assistant.mcp) };
    const present = await getAssistant(store.db, this.#owner, assistant.id);
    if (present && isSame(present, assistant)) return;
    const id = present ? randomUUIDv7() : assistant.id;
    this.#names.assistant.set(assistant.id, id);
    await insertAssistant(store.db, this.#owner, { ...assistant, id });
    this.#result.assistants += 1;
  }

  /** Nothing runs, and nothing is trusted, before a person has looked at it. */
  async #server(line: Line<'server'>): Promise<void> {
    const { id, config, attachedTo } = line.server;
    const { servers } = this.#parts;
    const name = nameOf(line);
    const place = attachedTo && this.#placeOf(attachedTo);
    const present = namedServer(servers, this.#owner, name);
    if (!place && present && this.#existing === 'skip') {
      this.#names.server.set(id, present.id);
      return;
    }
    await this.#orLeaveOut(name, async () => {
      const [record] = await servers.addAll(this.#owner, [asDraft(config)], {
        shared: false,
        ...(place && { attachedTo: place }),
      });
      if (record) this.#names.server.set(id, record.id);
      this.#result.servers += 1;
    });
  }

  /** What is refused is told; the rest goes on. */
  async #orLeaveOut(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isStorageTrouble(error) || !(error instanceof CeriseError)) throw error;
      const { code, message: reason, messageSaid: reasonSaid } = error;
      this.#result.leftOut.push({ name, reason, ...(reasonSaid && { reasonSaid }), code });
    }
  }

  #placeOf(attachedTo: Attachment): Attachment {
    if ('topic' in attachedTo)
      return { topic: this.#topics.get(attachedTo.topic) ?? attachedTo.topic };
    const { assistant } = attachedTo;
    return { assistant: this.#names.assistant.get(assistant) ?? assistant };
  }

  async #topic(lines: ImportLines, line: Line<'topic'>): Promise<void> {
    const { store } = this.#parts;
    const { topic } = line;
    const isHere = (await getTopic(store.db, this.#owner, topic.id)) !== undefined;
    if (isHere && this.#existing === 'skip') {
      this.#result.skippedTopics += 1;
      return skipTopic(lines);
    }
    const parts = { ...this.#parts, owner: this.#owner };
    const done = await importTopic(parts, lines, line, {
      assistantId: await this.#assistantOf(topic.assistantId),
      mcp: topic.mcp && this.#selection(topic.mcp),
    });
    this.#topics.set(topic.id, done.topic.id);
    this.#result.topics += 1;
    this.#result.messages += done.messages;
    this.#result.files += done.files;
    this.#parts.emit(this.#owner, { type: 'topic-changed', topic: done.topic });
  }

  /** The default one where the file does not bring its own. */
  async #assistantOf(id: string): Promise<string> {
    const here = this.#names.assistant.get(id) ?? id;
    return (await getAssistant(this.#parts.store.db, this.#owner, here)) ? here : 'default';
  }

  #selection(selection: ToolSelection): ToolSelection {
    const selectedServers = selection.selectedServers.map(
      (server) => this.#names.server.get(server) ?? server,
    );
    return { ...selection, selectedServers };
  }
}

function isSame(a: Assistant, b: Assistant): boolean {
  const fields = ({ name, systemPrompt, model, parameters, mcp }: Assistant) => [
    name,
    systemPrompt,
    model,
    parameters,
    mcp,
  ];
  return isDeepStrictEqual(fields(a), fields(b));
}

/** A command waits for approval by itself; an address must be switched on by a person. */
function asDraft(config: Record<string, unknown>): unknown {
  const { autoApprove: _, ...rest } = config as Partial<ServerConfig>;
  return rest.type === 'stdio' ? rest : { ...rest, disabled: true };
}
