import type { McpTool } from '#mcp/results/types.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import { approved, callTool, testService } from '../fakes/mcp-servers.ts';
import { exampleArguments } from './example-arguments.ts';
import { createSignIns } from './sign-in.ts';

/** What the suite tells a client. */
export interface Asked {
  url: string;
  scenario: string;
  context: JsonObject;
}

/** How a client ended, and its words if it gave up. */
interface Ended {
  ending: 'done' | 'refused';
  words: string;
}

/** A person who agrees to everything and fills in nothing but what has no default. */
const answers: RequestAnswers = {
  elicit: async (request) => {
    if (request.kind === 'url') return { action: 'accept' };
    const { properties, required = [] } = request.schema;
    const open = required.filter((name) => properties[name]?.default === undefined);
    return { action: 'accept', content: exampleArguments({ properties, required: open }) };
  },
  sample: async () => ({
    role: 'assistant',
    model: 'example',
    content: { type: 'text', text: 'example' },
  }),
  roots: async () => [],
};

/** Looks at everything the server offers and uses it once. */
async function useAll(
  service: McpService,
  id: string,
  { scenario, context }: Asked,
): Promise<void> {
  const tools = await service.listTools(id);
  await Promise.all(calls(tools, context).map(([name, args]) => callTool(service, id, name, args)));
  for (const { uri } of await service.listResources(id)) await service.getResource(id, uri);
  for (const { name } of await service.listPrompts(id)) await service.getPrompt(id, name);
  for (const skill of await service.listSkills(id)) {
    if (scenario.endsWith('no-prefetch')) continue;
    await service.loadSkill(id, skill.uri);
    const others = skill.files === 'dynamic' ? [] : skill.files;
    for (const { uri } of others) await service.readSkillFile(id, skill.uri, uri);
  }
}

/** Which tools are called with what: as the scenario says, else each one with made-up arguments. */
function calls(tools: McpTool[], context: JsonObject): [name: string, args: JsonObject][] {
  if (Array.isArray(context.toolCalls)) {
    return context.toolCalls
      .filter(isJsonObject)
      .map(({ name, arguments: args }) => [name as string, args as JsonObject]);
  }
  const echoed = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  return tools
    .filter(({ problem }) => problem === undefined)
    .map(({ name, inputSchema }) => {
      const schema = echoed && name === 'json_schema_echo' ? echoed.inputSchema : undefined;
      return [name, schema ? { schema } : exampleArguments(inputSchema)];
    });
}

/**
 * Uses the server at an address as any host would, through `McpService`. The scenario decides at most
 * what is done, never how the protocol is spoken.
 */
export async function useServer(asked: Asked): Promise<Ended> {
  const { url, context } = asked;
  const signIns = createSignIns(url, context);
  const service = testService({ answers: () => answers, authorizer: signIns.authorizer });
  const record = approved({ type: 'streamableHttp', baseUrl: url });
  try {
    await service.setServer(record);
    await signIns.signedIn(record.id, () => useAll(service, record.id, asked));
    return { ending: 'done', words: '' };
  } catch (error) {
    const words = `${String(error)}\n${service.logs(record.id).join('\n')}\n`;
    return { ending: 'refused', words };
  } finally {
    await service.close();
    await signIns.close();
  }
}
