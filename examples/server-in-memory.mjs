// Calls a tool of an MCP server that lives in the same process.
import { flattenContent, McpService } from 'cerise/mcp';
import { createGreeter } from './greeter.mjs';

const service = new McpService({ builtin: async () => createGreeter() });
const [server] = await service.addServers({
  name: 'greeter',
  type: 'inMemory',
  builtin: 'greeter',
});
const result = await service.callTool({ server, name: 'greet', args: { name: 'Ada' } });
console.log(flattenContent(result));
await service.close();
