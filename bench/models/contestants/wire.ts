import { createAdapter } from '#models/catalog/create-adapter.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import { apiKey, capabilities, type Connect, question } from '../contestant.ts';
import { calculate, calculator } from '../load.ts';

// Our adapter alone: the chunks of each answer, and nobody who makes anything of them.

export const connect: Connect = ({ wire, baseUrl }) => {
  const kind = wire === 'openai' ? 'openai-chat' : 'anthropic';
  const provider = { name: 'bench', kind, baseUrl, apiKey };
  const { signal } = new AbortController();
  return async (model, tools) => {
    const adapter = createAdapter(provider, model, capabilities);
    const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
    const asked = { purpose: 'answer' as const, system: '', parameters: {}, messages };
    for (let length = 0; ;) {
      let text = '';
      const calls: Extract<ModelPart, { type: 'tool-call' }>[] = [];
      const request = { ...asked, tools: tools ? [calculator] : [] };
      for await (const batch of adapter.stream(request, signal)) {
        for (const chunk of batch) {
          if (chunk.type === 'text-delta') text += chunk.text;
          else if (chunk.type === 'error') throw new Error(chunk.error.message);
          else if (chunk.type === 'tool-pending') {
            const { callId, toolName, arguments: args } = chunk;
            calls.push({ type: 'tool-call', callId, toolName, arguments: args ?? {} });
          }
        }
      }
      length += text.length;
      const [call] = calls;
      if (!call) return length;
      messages.push(
        { role: 'assistant', parts: [{ type: 'text', text }, call] },
        { role: 'tool', results: [resultOf(call)] },
      );
    }
  };
};

function resultOf({
  callId,
  toolName,
  arguments: args,
}: Extract<ModelPart, { type: 'tool-call' }>) {
  const text = calculate(args as { expression: string });
  return { callId, toolName, result: { content: [{ type: 'text' as const, text }] } };
}
