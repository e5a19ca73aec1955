import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ToolCallRequest } from '#mcp/calls/call-request.ts';
import { launchHash } from '#mcp/connection/launch-hash.ts';
import { McpService, type McpServiceOptions } from '#mcp/service/mcp-service.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import {
  type ServerConfig,
  type ServerRecord,
  serverConfigSchema,
} from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';

const hostileScript = join(import.meta.dirname, 'hostile-server.mjs');

const silent = (): void => undefined;
/** A logger that keeps everything to itself. */
export const silentLogger: Logger = { debug: silent, info: silent, warn: silent, error: silent };

/** A service that knows no built-in server unless told. */
export function testService(options: Partial<McpServiceOptions> = {}): McpService {
  return new McpService({
    builtin: (name) =>
      Promise.reject(new CeriseError('invalid_server', `There is no built-in server ${name}.`)),
    logger: silentLogger,
    ...options,
  });
}

/** A server record of this config, approved as it is. */
export function approved(
  config: { name?: string } & Record<string, unknown>,
  id = `srv-${randomUUID()}`,
): ServerRecord {
  const parsed: ServerConfig = serverConfigSchema.parse({ name: 'test', ...config });
  const now = Date.now();
  return {
    id,
    owner: 'local',
    config: parsed,
    approvedHash: launchHash(parsed),
    createdAt: now,
    updatedAt: now,
  };
}

/** The scriptable server with a scenario, as an approved record. */
export function hostile(scenario: object = {}, config: Record<string, unknown> = {}): ServerRecord {
  return approved({
    type: 'stdio',
    command: process.execPath,
    args: [hostileScript, JSON.stringify(scenario)],
    ...config,
  });
}

let lastCall = 0;
/** Calls a tool under an id of its own. */
export function callTool(
  service: McpService,
  serverId: string,
  name: string,
  args: JsonObject = {},
  more: Partial<ToolCallRequest> = {},
): Promise<ToolResult> {
  return service.callTool({ serverId, name, arguments: args, callId: `c${++lastCall}`, ...more });
}
