import { apiKey, question } from '../models/contestant.ts';
import { readEvents } from '../models/read-events.ts';
import { benchToken } from '../processes.ts';

/** Somebody who speaks chat completions. */
export interface ChatTarget {
  baseUrl: string;
  key: string;
  /** What a request for a model of the provider says besides the question. */
  toBody: (model: string) => object;
}

/** The provider, or a route that hands requests on to it. */
export function directly(baseUrl: string): ChatTarget {
  return { baseUrl, key: apiKey, toBody: (model) => ({ model }) };
}

/** A running Cerise, without tools. */
export function throughCerise(url: string): ChatTarget {
  const toBody = (model: string) => ({ model: `bench/${model}`, cerise: { servers: [] } });
  return { baseUrl: `${url}/v1`, key: benchToken, toBody };
}

interface Chunk {
  choices: { delta: { content?: string | null } }[];
}

/** Asks for a streamed answer and hears each piece of its text. */
export function askChat(
  { baseUrl, key, toBody }: ChatTarget,
  model: string,
  onText: (text: string) => void,
): Promise<void> {
  const messages = [{ role: 'user', content: question }];
  const body = { ...toBody(model), messages, stream: true };
  return readEvents(`${baseUrl}/chat/completions`, key, body, (data) => {
    if (data === '[DONE]') return;
    const text = (JSON.parse(data) as Chunk).choices[0]?.delta.content;
    if (text) onText(text);
  });
}
