import type { Client } from '#client/client.ts';
import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import type { AcpServer } from './acp-schema.ts';

/**
 * Attaches the servers of an editor to the chat of its session, by the rules for all servers: a command is a draft
 * until someone approves it in Cerise. Resolves to one line for each server that cannot be used yet.
 */
export async function attachServers(
  client: Pick<Client, 'servers'>,
  topicId: string,
  wanted: readonly AcpServer[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { servers } = await client.servers.list();
  const there = servers.filter(
    ({ attachedTo }) => attachedTo && 'topic' in attachedTo && attachedTo.topic === topicId,
  );
  const problems: string[] = [];
  for (const server of wanted) {
    const name = terminalLine(server.name);
    try {
      const view =
        there.find((each) => each.name === server.name) ??
        (await client.servers.create({ ...toConfig(server), attachedTo: { topic: topicId } }));
      if (view.state === 'draft') {
        const { id } = view;
        problems.push(
          tell(
            say(
              'cli-acp-needs-approval',
            )`${name} needs approval: ${programName()} mcp approve ${id}`,
          ),
        );
      }
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      problems.push(`${name}: ${tell(wordsOf(error))}`);
    }
  }
  return problems;
}

function toConfig(server: AcpServer): object {
  const { name } = server;
  if ('command' in server) {
    const { command, args, env } = server;
    return { type: 'stdio', name, command, args, env: toRecord(env) };
  }
  const type = server.type === 'sse' ? 'sse' : 'streamableHttp';
  return { type, name, baseUrl: server.url, headers: toRecord(server.headers) };
}

function toRecord(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
