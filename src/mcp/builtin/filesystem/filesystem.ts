import type { McpServer } from '@modelcontextprotocol/server';
import type { BuiltinContext } from '../toolkit/context.ts';
import { newServer } from '../toolkit/new-server.ts';
import { registerReading } from './filesystem-read.ts';
import { registerSearch } from './filesystem-search.ts';
import { registerWriting } from './filesystem-write.ts';
import { WorkspaceWords } from './workspace-words.ts';
import { ensureWorkspace } from './workspace.ts';

/** The server `filesystem`, rooted in the workspace folder, which is made if it is not there. */
export async function createFilesystemServer(
  context: Pick<BuiltinContext, 'workspace' | 'provenance'>,
): Promise<McpServer> {
  await ensureWorkspace(context.workspace);
  const server = newServer(
    'filesystem',
    'Filesystem',
    'All paths are relative to the workspace folder; "." is the workspace itself.',
  );
  const workspace = {
    folder: context.workspace,
    words: new WorkspaceWords(context.provenance),
  };
  registerReading(server, workspace);
  registerSearch(server, workspace);
  registerWriting(server, workspace);
  return server;
}
