/** Streams in the form of Google's streamGenerateContent, written for the tests. */
type Event = Record<string, unknown>;

const usageMetadata = {
  promptTokenCount: 12,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 30,
  cachedContentTokenCount: 4,
  toolUsePromptTokenCount: 3,
  totalTokenCount: 52,
};

/** One event with the given parts; the last one has a finish reason and usage. */
export function answer(parts: object[], finishReason?: string, more: object = {}): Event {
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        index: 0,
        ...(finishReason && { finishReason }),
        ...more,
      },
    ],
    ...(finishReason && { usageMetadata }),
    modelVersion: 'gemini-test',
    responseId: 'r1',
  };
}

/** More of the call before it. */
function partial(partialArgs: object[]): Event {
  return answer([{ functionCall: { partialArgs, willContinue: true } }]);
}

export const googleStreams: Record<string, Event[]> = {
  'text only': [
    answer([{ text: 'Grüße, ' }]),
    answer([{ text: '世界' }, { text: ' 🌸' }]),
    answer([{ text: '', thoughtSignature: 'dGV4dA==' }], 'STOP'),
  ],
  'thoughts, text and thoughts again': [
    answer([{ text: '**Looking**\n', thought: true }]),
    answer([{ text: 'closely', thought: true, thoughtSignature: 'dGhvdWdodA==' }, { text: 'So' }]),
    answer([{ text: ' it is', thoughtSignature: 'dGV4dA==' }]),
    answer([
      { text: 'hm', thought: true },
      { text: '', thought: true, thoughtSignature: 'ZW1wdHk=' },
    ]),
    answer([{ text: 'done' }], 'STOP'),
  ],
  'signed and unsigned calls at once': [
    answer([{ text: 'First, ' }]),
    answer([
      { functionCall: { name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { name: 'weather', args: { city: '東京' } } },
      { functionCall: { name: 'now' } },
      { functionCall: { name: 'none', args: {} } },
    ]),
    answer([{ text: '' }], 'STOP'),
  ],
  'calls with ids of the vendor': [
    answer([{ functionCall: { id: 'fc-1', name: 'now', args: {} } }], 'STOP'),
  ],
  'arguments value by value': [
    answer([{ functionCall: { name: 'cook', willContinue: true }, thoughtSignature: 'Y2FsbA==' }]),
    partial([{ jsonPath: '$.dish.name', stringValue: 'Bo', willContinue: true }]),
    partial([{ jsonPath: '$.dish.name', stringValue: 'rschtsch "süß"\n', willContinue: true }]),
    partial([{ jsonPath: '$.dish.name' }, { jsonPath: '$.dish.steps[0]', stringValue: 'peel' }]),
    partial([{ jsonPath: '$.dish.steps[1].minutes', numberValue: 2.5 }]),
    partial([{ jsonPath: '$.dish.steps[]' }, { jsonPath: '$.extras[]' }]),
    partial([
      { jsonPath: '$.hot', boolValue: true },
      { jsonPath: '$.by', nullValue: null },
    ]),
    answer([{ functionCall: {} }]),
    answer([{ functionCall: { id: 'fc-2', name: 'now', willContinue: true } }]),
    answer([{ functionCall: {} }], 'STOP'),
  ],
  'an image between words': [
    answer([{ text: 'Here: ' }]),
    answer([{ inlineData: { mimeType: 'image/png', data: 'BAUG' }, thought: true }]),
    answer([{ inlineData: { mimeType: 'image/png', data: 'AQID' }, thoughtSignature: 'aW1n' }]),
    answer([{ text: 'Nice?' }], 'STOP'),
  ],
  'an answer with sources': [
    answer([{ text: 'It blooms' }], undefined, {
      groundingMetadata: {
        webSearchQueries: ['cherry blossom'],
        groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
      },
    }),
    answer([{ text: ' in spring.' }], 'STOP', {
      groundingMetadata: {
        webSearchQueries: ['cherry blossom'],
        groundingChunks: [
          { web: { uri: 'https://a.example/', title: 'A' } },
          { web: { uri: 'https://b.example/' } },
          { maps: { uri: 'https://maps.example/1', title: 'Place', text: 't', placeId: 'p' } },
        ],
      },
    }),
  ],
  'the end of the room': [answer([{ text: 'So far' }], 'MAX_TOKENS')],
  'a filter after some words': [answer([{ text: 'To begin' }]), answer([], 'SAFETY')],
  'words after the finish reason': [
    answer([{ text: 'a' }], 'STOP'),
    answer([{ text: 'b' }]),
    { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 } },
  ],
  'a reason of its own': [answer([{ text: 'a' }], 'SOMETHING_NEW')],
  'files that are no images': [
    answer([{ inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } }]),
    answer([{ inlineData: { mimeType: 'video/mp4', data: 'AQID' } }], 'STOP'),
  ],
  'sound in pieces': [
    answer([{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=16000', data: 'AQI=' } }]),
    answer([{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=16000', data: 'AwQ=' } }], 'STOP'),
  ],
};
