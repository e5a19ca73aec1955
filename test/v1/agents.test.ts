import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import type OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { calls, says } from '../fakes/scripted-model.ts';
import { token } from '../fixtures/http.ts';
import { model, noting, openV1, type V1 } from '../fixtures/v1.ts';
import { cachedPackage } from '../npm-cache.ts';

const time = { name: 'get_current_time', arguments: { timezone: 'Asia/Tokyo' } };
const base = 'http://cerise.test:4310';
const headers = { authorization: `Bearer ${token}` };

/** A package of npm as a test uses it. */
async function load<T>(name: string, version: string, file: string): Promise<T | undefined> {
  const folder = await cachedPackage(name, version);
  if (folder === undefined) return undefined;
  return (await import(pathToFileURL(join(folder, file)).href)) as T;
}

interface AiSdkMcp {
  createMCPClient(config: object): Promise<{ tools(): Promise<ToolSet>; close(): Promise<void> }>;
}

interface McpServer {
  connect(): Promise<void>;
  close(): Promise<void>;
}

interface Agents {
  Agent: new (config: object) => object;
  OpenAIResponsesModel: new (client: OpenAI, model: string) => object;
  OpenAIChatCompletionsModel: new (client: OpenAI, model: string) => object;
  MCPServerStreamableHttp: new (config: object) => McpServer;
  tool(config: object): object;
  hostedMcpTool(config: object): object;
  setTracingDisabled(isDisabled: boolean): void;
  run(agent: object, input: string | RunState, options?: object): Promise<Result>;
}

interface RunState {
  approve(interruption: object): void;
  reject(interruption: object): void;
}

interface Result extends AsyncIterable<{ type: string }> {
  finalOutput: string;
  completed?: Promise<void>;
  interruptions: object[];
  state: RunState;
}

describe('agents on Cerise', { timeout: 180_000 }, () => {
  it('the AI SDK’s MCP client uses a server through /mcp, for a model of /v1', async ({ skip }) => {
    const mcp = await load<AiSdkMcp>('@ai-sdk/mcp', '2.0.99', 'dist/index.js');
    if (!mcp) return skip('It could not be installed.');
    const { fetch } = await openV1([calls([time.name, time.arguments]), says('Late.')]);
    const transport = { type: 'http', url: `${base}/mcp/time`, headers, fetch };
    const client = await mcp.createMCPClient({ transport });
    onTestFinished(() => client.close());
    const openai = createOpenAI({ apiKey: token, baseURL: `${base}/v1`, fetch });
    const answer = await generateText({
      model: openai(model),
      prompt: 'How late is it in Tokyo?',
      tools: await client.tools(),
      stopWhen: stepCountIs(3),
    });
    expect(answer.text).toBe('Late.');
    const results = answer.steps.flatMap(({ toolResults }) => toolResults);
    expect(JSON.stringify(results)).toContain('Asia/Tokyo');
  });

  it.for([{ approve: true }, { approve: false }])(
    'the JavaScript Agents SDK decides on a call of a server of Cerise, approved: $approve',
    async ({ approve }, { skip }) => {
      const agents = await load<Agents>('@openai/agents', '0.20.0', 'dist/index.mjs');
      if (!agents) return skip('It could not be installed.');
      agents.setTracingDisabled(true);
      const name = 'mcp__calculator__calculate';
      const v1 = await openV1([calls([name, { expression: '17*23' }]), says('Done.')]);
      await v1.json('PUT', '/api/policy', { rules: [{ action: 'ask' }] });
      const { openai, scripted } = v1;
      const agent = new agents.Agent({
        name: 'a program',
        instructions: 'Help.',
        model: new agents.OpenAIResponsesModel(openai, model),
        tools: [agents.hostedMcpTool({ serverLabel: 'calculator', requireApproval: 'always' })],
      });
      const asked = await agents.run(agent, 'What is 17 * 23?');
      expect(asked.interruptions).toHaveLength(1);
      for (const each of asked.interruptions)
        if (approve) asked.state.approve(each);
        else asked.state.reject(each);
      const result = await agents.run(agent, asked.state);
      expect(result.finalOutput).toBe('Done.');
      const results = JSON.stringify(scripted.requests[1]?.messages.at(-1));
      expect(results.includes('391')).toBe(approve);
    },
  );

  const apis = ['OpenAIResponsesModel', 'OpenAIChatCompletionsModel'] as const;
  describe.each(apis)('the JavaScript Agents SDK with its %s', (api) => {
    /** An agent with a tool of its own, and one of a server behind /mcp. */
    async function openAgent(agents: Agents, { openai, fetch }: V1, notes: unknown[]) {
      agents.setTracingDisabled(true);
      const url = `${base}/mcp/time`;
      const server = new agents.MCPServerStreamableHttp({ url, fetch, requestInit: { headers } });
      await server.connect();
      onTestFinished(() => server.close());
      return new agents.Agent({
        name: 'a program',
        instructions: 'Help.',
        model: new agents[api](openai, model),
        mcpServers: [server],
        tools: [
          agents.tool({
            name: 'my_tool',
            description: 'Mine',
            strict: false,
            parameters: {
              type: 'object',
              properties: {},
              required: [],
              additionalProperties: true,
            },
            execute: async (args: unknown) => {
              notes.push(args);
              return 'mine';
            },
          }),
        ],
      });
    }

    it.for([{ stream: false }, { stream: true }])(
      'runs, streamed: $stream',
      async (options, { skip }) => {
        const agents = await load<Agents>('@openai/agents', '0.20.0', 'dist/index.mjs');
        if (!agents) return skip('It could not be installed.');
        const [own, ours]: unknown[][] = [[], []];
        const v1 = await openV1(
          [
            calls(['look_up', { what: 'x' }], ['my_tool', { a: 1 }]),
            calls([time.name, time.arguments]),
            says('All done.'),
          ],
          { tools: [noting(ours ?? [])] },
        );
        const agent = await openAgent(agents, v1, own ?? []);
        const result = await agents.run(agent, 'Do it', options);
        const types: string[] = [];
        if (options.stream) for await (const { type } of result) types.push(type);
        await result.completed;
        expect(result.finalOutput).toBe('All done.');
        expect(own).toEqual([{ a: 1 }]);
        expect(ours).toEqual([{ what: 'x' }]);
        expect(JSON.stringify(v1.scripted.requests[2]?.messages)).toContain('Asia/Tokyo');
        expect(types.includes('run_item_stream_event')).toBe(options.stream);
      },
    );
  });
});
