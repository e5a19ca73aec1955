import { anthropicMessages } from '#models/wires/anthropic/anthropic-messages.ts';
import { googleGenerate } from '#models/wires/google/google-generate.ts';
import { openAiChat } from '#models/wires/openai/openai-chat.ts';
import type { Wire } from '#models/wires/wire.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { toolDefinitionsFor, type ToolVendor } from '#tools/formats/tool-definitions.ts';
import './end-with-parent.ts';
import { makeTools } from './tools.ts';

// 1,000 tools for one vendor: `tools.process.ts VENDOR cerise|floor`. The floor is JSON.stringify of them.

const count = 1000;
const conversions = 20;
const rounds = 200;
const wires: Record<ToolVendor, Wire> = {
  openai: openAiChat,
  anthropic: anthropicMessages,
  google: googleGenerate,
};
const capabilities = {
  tools: true,
  imagesIn: false,
  audioIn: false,
  filesIn: false,
  imagesOut: false,
  reasoning: false,
};
const target = { model: 'bench', baseUrl: 'http://127.0.0.1/v1', capabilities };

const [, , vendorName = '', contestant = ''] = process.argv;
const vendor = vendorName as ToolVendor;
const isCerise = contestant === 'cerise';
const convert = isCerise ? convertTools : JSON.stringify;
const write = isCerise ? writeRequest : JSON.stringify;

const first = makeTools(count);
const firstMs = measure([first], convert);
// Tools that are new each time: nothing that was kept helps.
const batches = () => Array.from({ length: conversions }, () => makeTools(count));
measure(batches(), convert);
const warmMs = measure(batches(), convert);
convert(first);
write(first);
const again = Array.from({ length: rounds }, () => first);
const laterMs = measure(again, write);
const bytesMs = measure(again, (tools) => toBytes(write(tools)));
console.log(JSON.stringify({ firstMs, warmMs, laterMs, bytesMs }));

function convertTools(tools: ToolDefinition[]): void {
  const { left } = toolDefinitionsFor(vendor, tools);
  if (left.length > 0) throw new Error(`${left[0]?.name} was left out: ${left[0]?.reason}`);
}

/** What a round does with tools that it knows, up to the body of the request. */
function writeRequest(tools: ToolDefinition[]): Buffer[] {
  const { tools: definitions } = toolDefinitionsFor(vendor, tools);
  const request = {
    purpose: 'answer' as const,
    system: '',
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go on.' }] }],
    tools: definitions,
    parameters: {},
  };
  return wires[vendor].toRequest(request, target).body;
}

function toBytes(body: string | Buffer[]): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body);
}

/** Milliseconds of CPU for each of them. */
function measure<T>(items: T[], work: (item: T) => unknown): number {
  const before = process.cpuUsage();
  for (const item of items) work(item);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / items.length;
}
