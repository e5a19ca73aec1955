import { addCall, type CallPiece, type ChatAnswer, chatTools, loopChat } from '../chat-loop.ts';
import { apiKey, type Connect, question } from '../contestant.ts';
import { readEvents } from '../read-events.ts';

// The least that reads an answer: fetch, decode, split lines, parse each, append what it says.

export const connect: Connect = ({ wire, baseUrl }) => {
  if (wire === 'anthropic') return (model) => askMessages(baseUrl, model);
  return (model, tools) =>
    loopChat((messages) =>
      askChat(baseUrl, { model, messages, ...(tools && { tools: chatTools }) }),
    );
};

interface ChatChunk {
  choices: { delta: { content?: string | null; tool_calls?: CallPiece[] } }[];
}

async function askChat(baseUrl: string, body: object): Promise<ChatAnswer> {
  const answer: ChatAnswer = { text: '' };
  const asked = { ...body, stream: true, stream_options: { include_usage: true } };
  await readEvents(`${baseUrl}/chat/completions`, apiKey, asked, (data) => {
    if (data === '[DONE]') return;
    const delta = (JSON.parse(data) as ChatChunk).choices[0]?.delta;
    if (delta?.content) answer.text += delta.content;
    for (const piece of delta?.tool_calls ?? []) answer.call = addCall(answer.call, piece);
  });
  return answer;
}

interface MessageEvent {
  type: string;
  delta?: { text?: string };
}

async function askMessages(baseUrl: string, model: string): Promise<number> {
  let text = '';
  const messages = [{ role: 'user', content: question }];
  const asked = { model, max_tokens: 64_000, stream: true, messages };
  await readEvents(`${baseUrl}/messages`, apiKey, asked, (data) => {
    const event = JSON.parse(data) as MessageEvent;
    if (event.type === 'content_block_delta' && event.delta?.text) text += event.delta.text;
  });
  return text.length;
}
