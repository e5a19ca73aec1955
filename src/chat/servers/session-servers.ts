import type { ToolCallRequest } from '#mcp/calls/call-request.ts';
import type { ServerStatus } from '#mcp/service/server-status.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerTools } from '#mcp/service/server-tools.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Attachment, ServerRecord, ServerState } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { getAssistant } from '#store/configuration/assistants.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Db } from '#store/database/store.ts';
import type { ToolHost } from '#tools/registry/tools-loader.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';

/** The state that says most about several instances comes first. */
const telling: ServerState[] = [
  'needs-auth',
  'failed',
  'reconnecting',
  'installing',
  'connecting',
  'connected',
];

/** What people are told when one instance of a server changes its state. */
type StatusOf = (serverId: string, own: ServerStatus) => ServerStatus;

/** The instances one topic runs, held while they are used. */
interface Session {
  service: McpService;
  holders: number;
  idle?: NodeJS.Timeout;
}

/**
 * Session servers: attached to an assistant or a topic, and run once for each topic that uses them. They
 * start at their first use and end with the topic, with their record, with the host, or when nobody
 * called them for half an hour; the next use starts them again.
 */
export class SessionServers {
  readonly #main: McpService;
  readonly #createService: (statusOf: StatusOf) => McpService;
  readonly #idleTime: number;
  readonly #sessions = new Map<string, Session>();
  #closed = false;

  /** `main` knows all records; the services that `createService` makes run the topics' instances. */
  constructor(
    main: McpService,
    parts: {
      createService: (statusOf: StatusOf) => McpService;
      limits: Pick<Limits, 'sessionIdleTime'>;
    },
  ) {
    this.#main = main;
    this.#createService = parts.createService;
    this.#idleTime = parts.limits.sessionIdleTime;
  }

  /** What lists and runs the tools of the servers that are attached to this topic. */
  of(topic: Pick<Topic, 'id' | 'assistantId'>): ToolHost {
    return {
      listServerTools: (ids, isKnownEnough) => this.#listTools(topic, ids, isKnownEnough),
      callTool: (request) => this.#callTool(topic.id, request),
    };
  }

  /** The most telling state of the instances of a server; undefined while no topic runs it. */
  status(serverId: string): ServerStatus | undefined {
    const all = this.#running(serverId).map((service) => service.status(serverId));
    const best = telling.find((state) => all.some((status) => status.state === state));
    return all.find(({ state }) => state === best) ?? all[0];
  }

  /** What the instances of a server wrote, one topic after the other. */
  logs(serverId: string): string[] {
    return this.#running(serverId).flatMap((service) => service.logs(serverId));
  }

  /** The record is another one now: instances take it over, or end if they must not run with it. */
  async changed(record: ServerRecord): Promise<void> {
    await Promise.all(this.#running(record.id).map((service) => service.setServer(record)));
  }

  /** Ends all instances of a server. */
  async endServer(serverId: string): Promise<void> {
    await Promise.all(this.#running(serverId).map((service) => service.removeServer(serverId)));
  }

  /** The topic is gone: its instances end, and the servers that were its own are forgotten. */
  async topicDeleted(topicId: string): Promise<void> {
    await Promise.all([
      this.#end(topicId),
      this.#forget((attachedTo) => 'topic' in attachedTo && attachedTo.topic === topicId),
    ]);
  }

  /** The topic may come back: its instances end, and start again with the next call. */
  async topicHidden(topicId: string): Promise<void> {
    await this.#end(topicId);
  }

  /** The assistant is gone, and its servers with it, in whichever topic they run. */
  async assistantDeleted(owner: string, assistantId: string): Promise<void> {
    await this.#forget(
      (attachedTo, record) =>
        'assistant' in attachedTo && attachedTo.assistant === assistantId && record.owner === owner,
    );
  }

  /** Ends everything. Nothing can be started afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.keys()].map((topicId) => this.#end(topicId)));
  }

  async #listTools(
    topic: Pick<Topic, 'id' | 'assistantId'>,
    ids: readonly string[],
    isKnownEnough?: boolean,
  ): Promise<ServerTools[]> {
    const present = this.#sessions.get(topic.id);
    if (present) await leaveOthers(present.service, topic);
    if (ids.length === 0) return [];
    return this.#hold(topic.id, async (service) => {
      for (const id of ids) await this.#provide(service, id);
      return service.listServerTools(ids, isKnownEnough);
    });
  }

  #callTool(topicId: string, request: ToolCallRequest): Promise<ToolResult> {
    return this.#hold(topicId, async (service) => {
      await this.#provide(service, request.serverId);
      return service.callTool(request);
    });
  }

  /** Makes sure that the topic has an instance of the server, if there still is such a server. */
  async #provide(service: McpService, serverId: string): Promise<void> {
    if (has(service, serverId)) return;
    const record = this.#main.servers().find(({ id }) => id === serverId);
    if (record) await service.setServer(record);
  }

  async #hold<T>(topicId: string, work: (service: McpService) => Promise<T>): Promise<T> {
    const session = this.#sessions.get(topicId) ?? this.#open(topicId);
    session.holders += 1;
    clearTimeout(session.idle);
    try {
      return await work(session.service);
    } finally {
      session.holders -= 1;
      if (session.holders === 0) await this.#released(topicId, session);
    }
  }

  /** Nobody works with it any more: it gets its time, or, ended in the meantime, leaves nothing behind. */
  async #released(topicId: string, session: Session): Promise<void> {
    if (this.#sessions.get(topicId) !== session) return removeAll(session.service, () => true);
    session.idle = setTimeout(() => void this.#end(topicId), this.#idleTime);
    session.idle.unref();
  }

  #open(topicId: string): Session {
    if (this.#closed)
      throw new CeriseError('shutting_down', say('shutting-down')`Cerise is shutting down.`);
    const service = this.#createService((id, own) => this.#statusOf(id, own));
    const session: Session = { service, holders: 0 };
    this.#sessions.set(topicId, session);
    return session;
  }

  async #end(topicId: string): Promise<void> {
    const session = this.#sessions.get(topicId);
    if (!session) return;
    this.#sessions.delete(topicId);
    clearTimeout(session.idle);
    await removeAll(session.service, () => true);
  }

  async #forget(isMeant: (attachedTo: Attachment, record: ServerRecord) => boolean): Promise<void> {
    const matches = (record: ServerRecord): boolean =>
      record.attachedTo !== undefined && isMeant(record.attachedTo, record);
    const services = [this.#main, ...[...this.#sessions.values()].map(({ service }) => service)];
    await Promise.all(services.map((service) => removeAll(service, matches)));
  }

  #running(serverId: string): McpService[] {
    return [...this.#sessions.values()]
      .map(({ service }) => service)
      .filter((service) => has(service, serverId));
  }

  /** What an instance's news mean for the server as a whole. */
  #statusOf(serverId: string, own: ServerStatus): ServerStatus {
    const present = this.status(serverId);
    if (present) return present;
    return has(this.#main, serverId) ? this.#main.status(serverId) : own;
  }
}

/** Throws `topic_not_found` or `assistant_not_found` unless the owner has what is named. */
export async function assertAttachable(
  db: Db,
  owner: string,
  attachedTo: Attachment,
): Promise<void> {
  if ('topic' in attachedTo) {
    if (!(await getTopic(db, owner, attachedTo.topic))) throw topicNotFound();
  } else if (!(await getAssistant(db, owner, attachedTo.assistant)))
    throw new CeriseError(
      'assistant_not_found',
      say('assistant-gone')`This assistant doesn't exist.`,
    );
}

/** A topic may have moved to another assistant: the instances of the old one's servers end. */
async function leaveOthers(
  service: McpService,
  topic: Pick<Topic, 'id' | 'assistantId'>,
): Promise<void> {
  await removeAll(
    service,
    ({ attachedTo }) =>
      attachedTo !== undefined &&
      'assistant' in attachedTo &&
      attachedTo.assistant !== topic.assistantId,
  );
}

function has(service: McpService, serverId: string): boolean {
  return service.servers().some(({ id }) => id === serverId);
}

async function removeAll(
  service: McpService,
  isMeant: (record: ServerRecord) => boolean,
): Promise<void> {
  const meant = service.servers().filter(isMeant);
  await Promise.all(meant.map(({ id }) => service.removeServer(id)));
}
