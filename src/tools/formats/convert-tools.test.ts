import type Anthropic from '@anthropic-ai/sdk';
import { type FunctionDeclaration, type Schema, type Tool, Type } from '@google/genai';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import {
  type AnthropicTool,
  convertMcpToolsToAnthropic,
  convertMcpToolsToGemini,
  convertMcpToolsToOpenAI,
  type GeminiFunction,
  type GeminiTool,
  type OpenAiChatTool,
  type OpenAiResponsesTool,
} from './convert-tools.ts';

const read: ToolDefinition = {
  name: 'mcp__files__read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const silent: ToolDefinition = { name: 'now', description: '', inputSchema: {} };
const bracketed: ToolDefinition = {
  name: 'list',
  description: 'Lists.',
  inputSchema: { type: 'object', properties: { 'filter[id]': { type: 'string' } } },
};
const schema = read.inputSchema;
const nothing = { type: 'object', properties: {} };

describe('the shapes of converted tools', () => {
  it('are those of the vendors’ own packages', () => {
    expectTypeOf<OpenAiChatTool>().toExtend<OpenAI.ChatCompletionFunctionTool>();
    expectTypeOf<OpenAiResponsesTool>().toExtend<OpenAI.Responses.FunctionTool>();
    expectTypeOf<AnthropicTool>().toExtend<Anthropic.Tool>();
    expectTypeOf<GeminiTool>().toExtend<Tool>();
    expectTypeOf<GeminiFunction>().toExtend<FunctionDeclaration>();
  });

  it('go into the vendors’ requests without a cast', () => {
    const chat: OpenAI.ChatCompletionCreateParams['tools'] = convertMcpToolsToOpenAI([read]).tools;
    const responses: OpenAI.Responses.ResponseCreateParams['tools'] = convertMcpToolsToOpenAI(
      [read],
      { api: 'responses' },
    ).tools;
    const messages: Anthropic.MessageCreateParams['tools'] = convertMcpToolsToAnthropic([
      read,
    ]).tools;
    const gemini: Tool[] = convertMcpToolsToGemini([read]).tools;
    expect([chat, responses, messages, gemini].map((tools) => tools?.length)).toEqual([1, 1, 1, 1]);
  });

  it('use the fields and types that Gemini’s package knows', () => {
    const used = ['type', 'properties', 'required', 'enum', 'items', 'anyOf', 'nullable'] as const;
    const rest = ['title', 'description', 'format', 'pattern', 'minimum', 'maximum'] as const;
    const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'] as const;
    expectTypeOf<(typeof used | typeof rest | typeof counts)[number]>().toExtend<keyof Schema>();
    const [tool] = convertMcpToolsToGemini([read]).tools;
    const parameters = tool?.functionDeclarations[0]?.parameters ?? {};
    expect(used).toEqual(expect.arrayContaining(Object.keys(parameters)));
    expect(Object.values<string>(Type)).toContain((parameters.type as string).toUpperCase());
  });
});

describe('convertMcpToolsToOpenAI', () => {
  it('writes tools for Chat Completions and for Responses', () => {
    expect(convertMcpToolsToOpenAI([read, silent])).toEqual({
      tools: [
        {
          type: 'function',
          function: { name: read.name, description: 'Reads a file.', parameters: schema },
        },
        { type: 'function', function: { name: 'now', parameters: nothing } },
      ],
      left: [],
    });
    expect(convertMcpToolsToOpenAI([read], { api: 'responses' }).tools).toEqual([
      {
        type: 'function',
        name: read.name,
        description: 'Reads a file.',
        parameters: schema,
        strict: false,
      },
    ]);
  });

  it('asks to enforce only what can be enforced', () => {
    const open: ToolDefinition = {
      ...silent,
      inputSchema: { type: 'object', properties: { any: {} } },
    };
    const [first, second] = convertMcpToolsToOpenAI([read, open], { strict: true }).tools;
    expect(first?.function).toMatchObject({
      strict: true,
      parameters: { additionalProperties: false },
    });
    expect(second?.function).not.toHaveProperty('strict');
    const [third] = convertMcpToolsToOpenAI([read], { api: 'responses', strict: true }).tools;
    expect(third?.strict).toBe(true);
  });
});

describe('convertMcpToolsToAnthropic', () => {
  it('writes tools for Messages', () => {
    expect(convertMcpToolsToAnthropic([read, silent]).tools).toEqual([
      { name: read.name, description: 'Reads a file.', input_schema: schema },
      { name: 'now', input_schema: nothing },
    ]);
  });
});

describe('convertMcpToolsToGemini', () => {
  it('writes one tool with all functions, without a schema where nothing is taken', () => {
    expect(convertMcpToolsToGemini([read, silent]).tools).toEqual([
      {
        functionDeclarations: [
          { name: read.name, description: 'Reads a file.', parameters: schema },
          { name: 'now' },
        ],
      },
    ]);
    expect(convertMcpToolsToGemini([])).toEqual({ tools: [], left: [] });
  });
});

describe('a tool that cannot be expressed', () => {
  it('is left out alone, with the reason', () => {
    const converted = convertMcpToolsToAnthropic([bracketed, read]);
    expect(converted.tools.map(({ name }) => name)).toEqual([read.name]);
    expect(converted.left).toMatchObject([
      { name: 'list', reason: 'Anthropic doesn\'t accept a parameter named "filter[id]".' },
    ]);
    expect(convertMcpToolsToGemini([bracketed]).tools).toEqual([]);
    expect(convertMcpToolsToOpenAI([bracketed]).left).toEqual([]);
  });

  it('may have a name that is illegal or taken', () => {
    const { tools, left } = convertMcpToolsToOpenAI([
      read,
      { ...silent, name: read.name },
      { ...silent, name: '读' },
      { ...silent, name: 'x'.repeat(65) },
      { ...silent, name: '9' },
    ]);
    expect(tools).toHaveLength(1);
    expect(left.map(({ reason }) => reason.slice(0, 12))).toEqual([
      'another tool',
      'its name mus',
      'its name mus',
      'its name mus',
    ]);
  });
});
