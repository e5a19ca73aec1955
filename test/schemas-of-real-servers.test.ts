import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { textOf, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { toAnthropicSchema } from '#tools/formats/anthropic-schema.ts';
import { toGeminiSchema } from '#tools/formats/gemini-schema.ts';
import { toOpenAiSchema } from '#tools/formats/openai-schema.ts';
import { toolDefinitionsFor } from '#tools/formats/tool-definitions.ts';
import { loadTools } from '#tools/registry/tools-loader.ts';
import { approved, testService } from './fakes/mcp-servers.ts';
import {
  anthropicProblems,
  geminiProblems,
  openAiProblems,
  openAiStrictProblems,
} from './fixtures/dialects.ts';
import { realServer } from './real-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
const newest = '2026.8.31';
const reference = '@modelcontextprotocol/server';

interface Subject {
  name: string;
  version: string;
  args?: string[];
  env?: Record<string, string>;
}

const subjects: Subject[] = [
  { name: `${reference}-everything`, version: newest },
  { name: `${reference}-everything`, version: '0.6.2' },
  { name: `${reference}-filesystem`, version: newest, args: [folder] },
  {
    name: `${reference}-memory`,
    version: newest,
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  },
  { name: `${reference}-sequential-thinking`, version: newest },
  { name: 'mcp-server-sqlite', version: '0.0.2', args: [join(folder, 'data.db')] },
  { name: `${reference}-map`, version: '2.0.3', args: ['--stdio'] },
  { name: `${reference}-system-monitor`, version: '2.0.3', args: ['--stdio'] },
  { name: '@playwright/mcp', version: '0.0.83' },
];

const service = testService();
afterAll(() => service.close());

async function toolsOf({
  name,
  version,
  args = [],
  env = {},
}: Subject): Promise<Tool[] | undefined> {
  const script = await realServer(name, version);
  if (script === undefined) return undefined;
  const server = approved({
    name: `${name}@${version}`,
    type: 'stdio',
    command: process.execPath,
    args: [script, ...args],
    env,
  });
  await service.setServer(server);
  const selection = { enabled: true, mode: 'manual' as const, selectedServers: [server.id] };
  const { tools, failures } = await loadTools(service, selection);
  expect(failures).toEqual([]);
  expect(tools.length).toBeGreaterThan(0);
  return tools;
}

/** All descriptions and names of properties, which no conversion may lose. */
function wordsOf(value: Json | undefined, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) wordsOf(item, found);
  if (!isJsonObject(value)) return found;
  if (typeof value.description === 'string') found.add(value.description);
  if (isJsonObject(value.properties)) {
    for (const name of Object.keys(value.properties)) found.add(name);
  }
  for (const inner of Object.values(value)) wordsOf(inner, found);
  return found;
}

function schemaOf(converted: { schema: JsonObject } | { problem: Words }): JsonObject {
  if ('problem' in converted) throw new Error(textOf(converted.problem));
  return converted.schema;
}

describe.each(subjects)('the tools of $name $version', (subject) => {
  it('can be told to every vendor, with nothing lost', { timeout: 120_000 }, async ({ skip }) => {
    const tools = await toolsOf(subject);
    if (tools === undefined) return skip('it could not be installed');
    for (const { name, inputSchema } of tools) {
      const openAi = schemaOf(toOpenAiSchema(inputSchema));
      const anthropic = schemaOf(toAnthropicSchema(inputSchema));
      const gemini = schemaOf(toGeminiSchema(inputSchema));
      const strict = toOpenAiSchema(inputSchema, { strict: true });
      expect([name, openAiProblems(openAi)]).toEqual([name, []]);
      expect([name, anthropicProblems(anthropic)]).toEqual([name, []]);
      expect([name, geminiProblems(gemini)]).toEqual([name, []]);
      if (strict.strict) expect([name, openAiStrictProblems(schemaOf(strict))]).toEqual([name, []]);
      for (const words of wordsOf(inputSchema)) {
        for (const schema of [openAi, anthropic, gemini]) {
          expect(JSON.stringify(schema)).toContain(JSON.stringify(words).slice(1, -1));
        }
      }
    }
    for (const vendor of ['openai', 'anthropic', 'google'] as const) {
      const { tools: told, left } = toolDefinitionsFor(vendor, tools);
      expect([told.length, left]).toEqual([tools.length, []]);
    }
  });
});
