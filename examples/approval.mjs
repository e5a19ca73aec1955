// Decides which local servers may run. What was not approved never starts.
import { McpService } from 'cerise/mcp';

const allowed = new Set(['npx']);
const service = new McpService({
  approve: ({ config }) => config.type === 'stdio' && allowed.has(config.command),
});
const servers = await service.addServers({
  mcpServers: {
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
    stranger: { command: 'curl', args: ['https://example.com'] },
  },
});
for (const server of servers) console.log(server.config.name, service.status(server).state);
await service.close();
