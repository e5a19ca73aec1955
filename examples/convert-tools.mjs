// Writes the tools of MCP servers the way OpenAI, Anthropic and Google take them, and calls one.
import {
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  fetchMcpTools,
  McpService,
} from 'cerise/mcp';
import { createGreeter } from './greeter.mjs';

const service = new McpService({ builtin: async () => createGreeter() });
await service.addServers({ name: 'greeter', type: 'inMemory', builtin: 'greeter' });
const { tools } = await fetchMcpTools(service, { enabled: true });
console.log(convertMcpToolsToOpenAI(tools).tools[0].function.name);
console.log(convertMcpToolsToAnthropic(tools).tools[0].input_schema.required);
console.log(convertMcpToolsToGemini(tools).tools[0].functionDeclarations.length);
const [{ serverId, toolName }] = tools;
const call = { server: serverId, name: toolName, args: { name: 'Ada' } };
console.log((await service.callTool(call)).content[0].text);
await service.close();
