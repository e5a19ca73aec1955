import type { Client } from '#client/client.ts';
import { contentsFile } from '#client/drafts/contents-file.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { PromptView } from '#shared/api/server-api.ts';

/** A prompt of a server, as it is typed after the slash. */
export interface OfferedPrompt {
  name: string;
  server: ServerView;
  prompt: PromptView;
}

const maxWaitMs = 10_000;
const maxReadMs = 60_000;

/** A server's name in one word, so that it can be typed before a colon. */
function wordOf({ name }: ServerView): string {
  return name.replaceAll(/[\s:]+/g, '-');
}

/** The prompts of all connected servers; a server that fails has none. */
export async function offeredPrompts(client: Client): Promise<OfferedPrompt[]> {
  const lists = (await connected(client)).map(async (server) => {
    const signal = AbortSignal.timeout(maxWaitMs);
    const { prompts } = await client.servers.prompts(server.id, signal).catch(() => none);
    return prompts.map((prompt) => ({ name: `${wordOf(server)}:${prompt.name}`, server, prompt }));
  });
  return (await Promise.all(lists)).flat();
}

const none = { prompts: [], resources: [] };

/** Resources that begin with what is typed, as `server:uri`; before the colon, the servers themselves. */
export async function offeredResources(client: Client, typed: string): Promise<string[]> {
  const servers = await connected(client);
  const server = serverNamed(servers, typed);
  if (!server)
    return servers.map((each) => `${wordOf(each)}:`).filter((word) => word.startsWith(typed));
  const signal = AbortSignal.timeout(maxWaitMs);
  const { resources } = await client.servers.resources(server.id, signal).catch(() => none);
  return resources
    .map(({ uri }) => `${wordOf(server)}:${uri}`)
    .filter((word) => word.startsWith(typed) && !/\s/.test(word));
}

/** What a resource holds, as files; undefined if the word names none. */
export async function readOffered(
  client: Client,
  word: string,
): Promise<{ server: ServerView; files: File[] } | undefined> {
  const server = word.includes(':') ? serverNamed(await connected(client), word) : undefined;
  if (!server) return undefined;
  const uri = word.slice(wordOf(server).length + 1);
  if (uri === '') return undefined;
  const signal = AbortSignal.timeout(maxReadMs);
  const { contents } = await client.servers.readResource(server.id, uri, signal);
  return { server, files: contents.map((each) => contentsFile(each, 'resource')) };
}

async function connected(client: Client): Promise<ServerView[]> {
  const { servers } = await client.servers.list();
  return servers.filter(({ state }) => state === 'connected' || state === 'idle');
}

function serverNamed(servers: readonly ServerView[], word: string): ServerView | undefined {
  return servers.find((server) => word.startsWith(`${wordOf(server)}:`));
}
