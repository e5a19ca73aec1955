import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { ImportQuery, ImportResult } from '#shared/api/data-api.ts';
import type { ExportLine } from '#shared/api/export-file.ts';
import { CeriseError, isStorageTrouble } from '#shared/errors/errors.ts';
import { sentenceRef, say, textOf } from '#shared/errors/sentence.ts';
import { type ImportedServer, readImportedServer } from '#shared/import/imported-server.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Assistant, ToolSelection } from '#shared/vocabulary/message.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { getAssistant } from '#store/configuration/assistants.ts';
import { calledHere, type ImportNames, noNames } from '#store/conversations/imports.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import type { Settings } from '../models/settings.ts';
import { addAssistant } from '../servers/assistants.ts';
import type { Servers } from '../servers/servers.ts';
import { checkImport, type Head, isHead } from './import-check.ts';
import type { ImportFile, ImportLines } from './import-file.ts';
import { skipTopic, stageTopic } from './import-topic.ts';
import { Staging } from './staged-import.ts';

/** What an import writes to. */
export interface ImportDeps {
  store: Store;
  blobs: Blobs;
  limits: Limits;
  servers: Pick<Servers, 'addAll' | 'list'>;
  settings: Pick<Settings, 'own' | 'fill'>;
  models: Pick<ModelCatalogs, 'of'>;
  /** Told of each topic that came in. */
  emit: (owner: string, event: HostEvent) => void;
  /** What an import that came to nothing has left is to be swept. */
  sweeper: { sweep(): void };
  now: () => number;
}

type Line<K extends ExportLine['kind']> = Extract<ExportLine, { kind: K }>;

/** What an import would bring in. Changes nothing. */
export async function tryImport(
  { store, servers, limits }: ImportDeps,
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
  const counts = await checkImport(file.read(), isHere, limits);
  return { ...counts, skippedTopics, leftOut: [] };
}

function namedServer(servers: ImportDeps['servers'], owner: string, name: string) {
  return servers.list(owner).find((one) => one.name === name && !one.attachedTo);
}

function nameOf({ server: { id, config } }: Line<'server'>): string {
  return typeof config['name'] === 'string' ? config['name'] : id;
}

/**
 * Brings in what a checked file holds: everything of it is there in the end, or nothing. Nothing that is here
 * is changed. Topics come in slice by slice where nobody sees them; settings, assistants and servers, which
 * others see at once, when nothing else is left that could fail.
 */
export class DataImport {
  readonly #deps: ImportDeps;
  readonly #owner: string;
  readonly #existing: ImportQuery['existing'];
  readonly #names: ImportNames = noNames();
  readonly #topics = new Map<string, string>();
  readonly #heads: Head[] = [];
  readonly #result: ImportResult = {
    topics: 0,
    messages: 0,
    files: 0,
    assistants: 0,
    servers: 0,
    skippedTopics: 0,
    leftOut: [],
  };

  constructor(deps: ImportDeps, owner: string, existing: ImportQuery['existing']) {
    this.#deps = deps;
    this.#owner = owner;
    this.#existing = existing;
  }

  async run(lines: ImportLines): Promise<ImportResult> {
    const { store, emit, sweeper, now } = this.#deps;
    const staging = await Staging.begin(store, this.#owner, now);
    try {
      for (let line = await lines.take(); line; line = await lines.take()) {
        if (line.kind === 'topic') await this.#topic(staging, lines, line);
        else if (isHead(line)) this.#heads.push(line);
      }
      for (const head of this.#heads) if (!isOfTopic(head)) await this.#head(head);
      await staging.finish(this.#names, (topic) =>
        emit(this.#owner, { type: 'topic-changed', topic }),
      );
    } catch (error) {
      await staging.abandon().catch(() => undefined);
      sweeper.sweep();
      throw error;
    }
    for (const head of this.#heads) if (isOfTopic(head)) await this.#head(head);
    return this.#result;
  }

  async #head(head: Head): Promise<void> {
    if (head.kind === 'settings') await this.#settings(head);
    else if (head.kind === 'assistant') await this.#assistant(head);
    else await this.#server(head);
  }

  /** A choice that was made here stays; a model that is not here is not chosen. */
  async #settings({ settings }: Line<'settings'>): Promise<void> {
    const present = await this.#deps.settings.own(this.#owner);
    const { favouriteModels, reasoningEffort } = settings;
    const chosen: typeof present = {};
    if (reasoningEffort && !present.reasoningEffort) chosen.reasoningEffort = reasoningEffort;
    if (favouriteModels && !present.favouriteModels) chosen.favouriteModels = favouriteModels;
    for (const field of ['defaultModel', 'titleModel', 'translationModel'] as const) {
      const model = settings[field];
      if (model === undefined || present[field] !== undefined) continue;
      await this.#orLeaveOut(model, async () => {
        await this.#deps.models.of(this.#owner).resolve(model);
        chosen[field] = model;
      });
    }
    if (Object.keys(chosen).length > 0) await this.#deps.settings.fill(this.#owner, chosen);
  }

  /** The same one is there already, or it comes in beside whatever has its id. */
  async #assistant(line: Line<'assistant'>): Promise<void> {
    const { store } = this.#deps;
    const assistant: Assistant = { ...line.assistant, mcp: this.#selection(line.assistant.mcp) };
    const present = await getAssistant(store.db, this.#owner, assistant.id);
    if (present && isSame(present, assistant)) return;
    const id = present ? randomUUIDv7() : assistant.id;
    await this.#orLeaveOut(assistant.name, async () => {
      await addAssistant(store.db, this.#owner, { ...assistant, id }, this.#deps.limits);
      this.#names.assistants[assistant.id] = id;
      this.#result.assistants += 1;
    });
  }

  /** Nothing runs, and nothing is trusted, before a person has looked at it. */
  async #server(line: Line<'server'>): Promise<void> {
    const { id, config, attachedTo } = line.server;
    const { servers } = this.#deps;
    const name = nameOf(line);
    const place = attachedTo && this.#placeOf(attachedTo);
    const present = namedServer(servers, this.#owner, name);
    if (!place && present && this.#existing === 'skip') {
      this.#names.servers[id] = present.id;
      return;
    }
    await this.#orLeaveOut(name, async () => {
      const imported = readImportedServer(config);
      const [record] = await servers.addAll(this.#owner, [imported.config], {
        shared: false,
        ...(place && { attachedTo: place }),
      });
      if (record) this.#names.servers[id] = record.id;
      this.#result.servers += 1;
      if (imported.leftOut.length > 0) this.#result.leftOut.push(omittedRights(name, imported));
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
    return { assistant: calledHere(this.#names.assistants, assistant) };
  }

  async #topic(staging: Staging, lines: ImportLines, line: Line<'topic'>): Promise<void> {
    const { store, blobs } = this.#deps;
    const { topic } = line;
    const isHere = (await getTopic(store.db, this.#owner, topic.id)) !== undefined;
    if (isHere && this.#existing === 'skip') {
      this.#result.skippedTopics += 1;
      return skipTopic(lines);
    }
    const done = await stageTopic({ staging, blobs, owner: this.#owner }, lines, line);
    this.#topics.set(topic.id, done.id);
    this.#result.topics += 1;
    this.#result.messages += done.messages;
    this.#result.files += done.files;
  }

  #selection(selection: ToolSelection): ToolSelection {
    const selectedServers = selection.selectedServers.map((server) =>
      calledHere(this.#names.servers, server),
    );
    return { ...selection, selectedServers };
  }
}

/** It needs the topic to be there. */
function isOfTopic(head: Head): boolean {
  return head.kind === 'server' && head.server.attachedTo !== undefined;
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

/** The server came in, but not what it brought along of rights. */
function omittedRights(name: string, { leftOut }: ImportedServer): ImportResult['leftOut'][number] {
  const reason = say(
    'rights-left-out',
  )`Added without ${leftOut.join(', ')}. Set this yourself if you need it.`;
  const reasonSaid = sentenceRef(reason);
  return {
    name,
    reason: textOf(reason),
    ...(reasonSaid && { reasonSaid }),
    code: 'rights_not_imported',
  };
}
