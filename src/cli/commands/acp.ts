import { AcpAgent } from '../acp/acp-agent.ts';
import { RpcLines } from '../acp/rpc-lines.ts';
import { openHost } from '../client/open-host.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise acp`: chats for an editor that starts its agents and speaks the Agent Client Protocol with them. */
export async function acp(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  readOptions(argv, commands.acp);
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  const client = await openHost(settings, io);
  const ended = new AbortController();
  const off = (['SIGINT', 'SIGTERM'] as const).map((signal) =>
    io.onSignal(signal, () => ended.abort()),
  );
  const rpc = new RpcLines(io);
  const agent = new AcpAgent(client, rpc, manifest.version);
  try {
    await rpc.run(agent.handlers, ended.signal);
    return 0;
  } finally {
    for (const end of off) end();
    await agent.close();
    await client.close();
  }
}
