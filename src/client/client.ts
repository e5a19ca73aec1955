import { assistantsApi } from './api/assistants.ts';
import { bundlesApi } from './api/bundles.ts';
import { dataApi } from './api/data.ts';
import { filesApi } from './api/files.ts';
import { grantsApi } from './api/grants.ts';
import { inputsApi } from './api/inputs.ts';
import { messagesApi } from './api/messages.ts';
import { peopleApi } from './api/people.ts';
import { policyApi } from './api/policy.ts';
import { registryApi } from './api/registry.ts';
import { serversApi } from './api/servers.ts';
import { settingsApi } from './api/settings.ts';
import { toolCallsApi } from './api/tool-calls.ts';
import { toolsApi } from './api/tools.ts';
import { topicsApi } from './api/topics.ts';
import { type ConnectionOptions, createConnection } from './http/connection.ts';

/** The whole API of one host. Every failure is a CeriseError. */
export type Client = ReturnType<typeof createClient>;

/** A client of a host; sends nothing yet. Streams are read over its `connection`. */
export function createClient(options: ConnectionOptions) {
  const connection = createConnection(options);
  return {
    connection,
    assistants: assistantsApi(connection),
    bundles: bundlesApi(connection),
    data: dataApi(connection),
    files: filesApi(connection),
    grants: grantsApi(connection),
    inputs: inputsApi(connection),
    messages: messagesApi(connection),
    people: peopleApi(connection),
    policy: policyApi(connection),
    registry: registryApi(connection),
    servers: serversApi(connection),
    settings: settingsApi(connection),
    toolCalls: toolCallsApi(connection),
    tools: toolsApi(connection),
    topics: topicsApi(connection),
  };
}
