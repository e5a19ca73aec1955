import { callArguments, deltaText, type WireName } from './load.ts';

/** The answers of one wire, in the envelopes that the vendor's own streams have. */
export interface Frames {
  opening: string;
  delta(index: number): string;
  /** Ends the text with a call of the tool, and the answer with it. */
  calling(round: number, toolName: string): string;
  /** Ends the text and the answer. */
  ending: string;
}

/** What a call's arguments are streamed as: pieces of JSON. */
function pieces(round: number): string[] {
  return JSON.stringify(callArguments(round)).match(/.{1,4}/gs) ?? [];
}

function chatFrame(choices: object[], usage: object | null = null): string {
  const chunk = {
    id: 'chatcmpl-B7rQ2xYk9LmT4vWz8NcJ1sHd6pGf',
    object: 'chat.completion.chunk',
    created: 1_770_933_892,
    model: 'gpt-bench-2026-01-01',
    service_tier: 'default',
    system_fingerprint: 'fp_0123456789',
    choices,
    usage,
    obfuscation: 'Qup1BsQ3',
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function chatDelta(delta: object, finish_reason: string | null = null): string {
  return chatFrame([{ index: 0, delta, logprobs: null, finish_reason }]);
}

function chatEnd(reason: string): string {
  const usage = { prompt_tokens: 16, completion_tokens: 300, total_tokens: 316 };
  return `${chatDelta({}, reason)}${chatFrame([], usage)}data: [DONE]\n\n`;
}

const openai: Frames = {
  opening: chatDelta({ role: 'assistant', content: '', refusal: null }),
  delta: (index) => chatDelta({ content: deltaText(index) }),
  calling(round, name) {
    const call = (call: object): string => chatDelta({ tool_calls: [{ index: 0, ...call }] });
    const parts = pieces(round).map((text) => call({ function: { arguments: text } }));
    const first = { id: `call_${round}`, type: 'function', function: { name, arguments: '' } };
    return [call(first), ...parts, chatEnd('tool_calls')].join('');
  },
  ending: chatEnd('stop'),
};

function messageFrame(event: { type: string; [field: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function blockDelta(index: number, delta: object): string {
  return messageFrame({ type: 'content_block_delta', index, delta });
}

function messageEnd(stop_reason: string): string {
  const delta = { stop_reason, stop_sequence: null };
  const usage = { output_tokens: 300 };
  return `${messageFrame({ type: 'message_delta', delta, usage })}${messageFrame({ type: 'message_stop' })}`;
}

const messageStart = {
  type: 'message_start',
  message: {
    model: 'claude-bench',
    id: 'msg_01B7rQ2xYk9LmT4vWz8NcJ1s',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 16, output_tokens: 1 },
  },
};

function blockStart(index: number, content_block: object): string {
  return messageFrame({ type: 'content_block_start', index, content_block });
}

function blockStop(index: number): string {
  return messageFrame({ type: 'content_block_stop', index });
}

const anthropic: Frames = {
  opening: messageFrame(messageStart) + blockStart(0, { type: 'text', text: '' }),
  delta: (index) => blockDelta(0, { type: 'text_delta', text: deltaText(index) }),
  calling(round, name) {
    const start = blockStart(1, { type: 'tool_use', id: `toolu_${round}`, name, input: {} });
    const parts = pieces(round).map((partial_json) =>
      blockDelta(1, { type: 'input_json_delta', partial_json }),
    );
    return [blockStop(0), start, ...parts, blockStop(1), messageEnd('tool_use')].join('');
  },
  ending: blockStop(0) + messageEnd('end_turn'),
};

/** Each wire's answers. */
export const frames: Record<WireName, Frames> = { openai, anthropic };
