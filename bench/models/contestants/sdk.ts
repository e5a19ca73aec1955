import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { addCall, type ChatAnswer, chatTools, loopChat } from '../chat-loop.ts';
import { apiKey, type Ask, type Connect, question } from '../contestant.ts';

// The vendor's own SDK, its stream read event by event.

export const connect: Connect = ({ wire, baseUrl }) =>
  wire === 'openai' ? connectChat(baseUrl) : connectMessages(baseUrl);

function connectChat(baseURL: string): Ask {
  const client = new OpenAI({ apiKey, baseURL });
  return (model, tools) =>
    loopChat(async (messages) => {
      const stream = await client.chat.completions.create({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(tools && { tools: chatTools }),
      });
      const answer: ChatAnswer = { text: '' };
      for await (const { choices } of stream) {
        const delta = choices[0]?.delta;
        if (delta?.content) answer.text += delta.content;
        for (const piece of delta?.tool_calls ?? []) answer.call = addCall(answer.call, piece);
      }
      return answer;
    });
}

function connectMessages(baseUrl: string): Ask {
  // It adds the version itself.
  const client = new Anthropic({ apiKey, baseURL: baseUrl.replace(/\/v1$/, '') });
  return async (model) => {
    const messages = [{ role: 'user' as const, content: question }];
    const stream = await client.messages.create({
      model,
      messages,
      max_tokens: 64_000,
      stream: true,
    });
    let text = '';
    for await (const event of stream) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      text += event.delta.text;
    }
    return text.length;
  };
}
