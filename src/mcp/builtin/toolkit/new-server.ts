import { McpServer } from '@modelcontextprotocol/server';
import { failedResult } from './tool-result.ts';

type Run = (...args: unknown[]) => unknown;
type Register = (name: string, config: object, run: Run) => unknown;

/** An empty built-in server. Only what makes a server imports this: the SDK below it is large. */
export function newServer(name: string, title: string, instructions: string): McpServer {
  const server = new McpServer(
    { name: `cerise-${name}`, title, version: '1.0.0' },
    { instructions },
  );
  const register = server.registerTool.bind(server) as Register;
  const guarded: Register = (tool, config, run) =>
    register(tool, config, async (...args) => {
      try {
        return await run(...args);
      } catch (error) {
        return failedResult(error);
      }
    });
  server.registerTool = guarded as McpServer['registerTool'];
  return server;
}
