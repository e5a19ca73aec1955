import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { says } from '../fakes/scripted-model.ts';
import { model, openV1 } from '../fixtures/v1.ts';

const messages = [{ role: 'user' as const, content: 'Draw it' }];
/** One that is kept in the answer, and one that is kept beside it. */
const sizes = [100, 100_000];
const pictureOf = (size: number) => Buffer.alloc(size, 7).toString('base64');
const draws = (size: number): Chunk[] => [
  { type: 'image-created', id: 'i' },
  { type: 'image-complete', id: 'i', mimeType: 'image/png', data: pictureOf(size) },
  ...says('Here it is.'),
];

interface WithImages {
  images?: { image_url: { url: string } }[];
}

describe.each(sizes)('a picture of %i bytes that the model made', (size) => {
  const url = `data:image/png;base64,${pictureOf(size)}`;

  it('is in a chat completion', async () => {
    const { openai } = await openV1([draws(size)]);
    const { choices } = await openai.chat.completions.create({ model, messages });
    const message = choices[0]?.message as (typeof choices)[0]['message'] & WithImages;
    expect(message.content).toBe('Here it is.');
    expect(message.images).toEqual([{ type: 'image_url', image_url: { url } }]);
  });

  it('is in the stream of one, before the text', async () => {
    const { openai } = await openV1([draws(size)]);
    const stream = await openai.chat.completions.create({ model, messages, stream: true });
    const said: string[] = [];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as { content?: string } & WithImages;
      for (const image of delta.images ?? []) said.push(image.image_url.url);
      if (delta.content) said.push(delta.content);
    }
    expect(said).toEqual([url, 'Here it is.']);
  });

  it('is in a response', async () => {
    const { openai, scripted } = await openV1([draws(size), draws(size)]);
    const whole = await openai.responses.create({ model, input: 'Draw it' });
    const stream = openai.responses.stream({ model, input: 'Draw it' });
    for (const { output } of [
      whole,
      await stream.finalResponse(),
      await openai.responses.retrieve(whole.id),
    ])
      expect(output).toMatchObject([
        { type: 'image_generation_call', result: pictureOf(size) },
        { type: 'message' },
      ]);
    const input = [...messages, ...whole.output, ...messages] as OpenAI.Responses.ResponseInput;
    await openai.responses.create({ model, input });
    const sent = scripted.requests[2]?.messages.map(({ role }) => role);
    expect(sent).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(scripted.requests[2]?.messages[1])).toContain('image/png');
  });
});

describe('sources on the web that the model names', () => {
  const cites: Chunk[] = [
    { type: 'vendor-tool-start', id: 's', toolName: 'web_search' },
    {
      type: 'vendor-tool-complete',
      id: 's',
      citations: [{ url: 'https://example.com/', title: 'Example' }],
    },
    ...says('It says so there.'),
  ];
  const source = { url: 'https://example.com/', title: 'Example', start_index: 0, end_index: 0 };

  it('are annotations of a chat completion, whole and streamed', async () => {
    const { openai } = await openV1([cites, cites]);
    const annotations = [{ type: 'url_citation', url_citation: source }];
    const whole = await openai.chat.completions.create({ model, messages });
    expect(whole.choices[0]?.message.annotations).toEqual(annotations);
    const chunks = await Array.fromAsync(
      await openai.chat.completions.create({ model, messages, stream: true }),
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toContainEqual({ annotations });
  });

  it('are annotations of a response', async () => {
    const { openai } = await openV1([cites]);
    const { output } = await openai.responses.create({ model, input: 'Hi' });
    expect(output.at(-1)).toMatchObject({
      content: [{ annotations: [{ type: 'url_citation', ...source }] }],
    });
  });
});

describe('words in which the model declines', () => {
  const declines: Chunk[] = [
    ...says('I can’t help with that.').slice(0, -1),
    { type: 'response-complete', finishReason: 'refusal' },
  ];
  const refusal = 'I can’t help with that.';

  it('are the refusal of a chat completion, whole and streamed', async () => {
    const { openai } = await openV1([declines, declines]);
    const whole = await openai.chat.completions.create({ model, messages });
    expect(whole.choices).toMatchObject([
      { message: { content: null, refusal }, finish_reason: 'stop' },
    ]);
    const streamed = openai.chat.completions.stream({ model, messages });
    expect((await streamed.finalChatCompletion()).choices).toMatchObject([
      { message: { refusal }, finish_reason: 'stop' },
    ]);
  });

  it('are the refusal of a response, and the stop reason of a message', async () => {
    const { openai, anthropic } = await openV1([declines, declines]);
    const response = await openai.responses.create({ model, input: 'Hi' });
    expect(response).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal }] }],
    });
    const message = await anthropic.messages.create({ model, max_tokens: 99, messages });
    expect(message).toMatchObject({ stop_reason: 'refusal', content: [{ text: refusal }] });
  });
});
