// An agent without a host or a database: a model, tools of an MCP server, and a question.
import { fromWire, McpService, openAiChat, runAgent } from 'cerise';
import { loadMcpTools } from 'cerise/mcp';
import { createGreeter } from './greeter.mjs';
import { startModel } from './model.mjs';

// Any vendor with an OpenAI-compatible API; here, a stand-in that runs in this process.
const { baseUrl, stop } = await startModel();
const model = fromWire(openAiChat, { model: 'small', baseUrl });

const service = new McpService({ builtin: async () => createGreeter() });
await service.addServers({ name: 'greeter', type: 'inMemory', builtin: 'greeter' });
const tools = await loadMcpTools(service, ['greeter']);

const { text, blocks } = await runAgent({ model, tools, messages: 'Greet Ada.' });
console.log(blocks.map(({ type }) => type).join());
console.log(text);
await service.close();
stop();
