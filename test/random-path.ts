import fc from 'fast-check';
import { type Block, type BlockStatus, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ContentPart, ToolCallState, ToolResult } from '#shared/vocabulary/tool.ts';

/** The models that answer in random branches; two of one vendor, and one that signs nothing. */
export const pathModels = ['anthropic/one', 'anthropic/two', 'google/pro', 'local/plain'] as const;

interface RandomCall {
  callId: string;
  name: string;
  state: ToolCallState;
  result: ToolResult | undefined;
  vendorRun: boolean;
}
interface RandomRound {
  thinking: string | undefined;
  text: string | undefined;
  /** Models may think again after they have spoken. */
  afterthought: string | undefined;
  image: boolean;
  calls: RandomCall[];
  cut: boolean;
}
interface RandomTurn {
  question: string;
  media: { type: 'image' | 'file'; mimeType: string | undefined; data: string | undefined }[];
  model: (typeof pathModels)[number];
  rounds: RandomRound[];
  ending: 'success' | 'error' | 'stopped';
}

const text = fc.oneof(
  fc.constantFrom('', ' ', '\n\n', 'Hello', '你好，世界', 'a\u0000b'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const contentPart: fc.Arbitrary<ContentPart> = fc.oneof(
  text.map((value): ContentPart => ({ type: 'text', text: value })),
  fc.constantFrom<ContentPart>(
    { type: 'image', data: 'aW1n', mimeType: 'image/png' },
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'audio', data: 'YXVk', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'https://example.org/', name: 'x' },
    {
      type: 'resource',
      resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'cA==' },
    },
    { type: 'resource', resource: { uri: 'file:///a.zip', blob: 'eg==' } },
    { type: 'resource', resource: { uri: 'file:///a.txt', text: ' ' } },
  ),
);
const result: fc.Arbitrary<ToolResult> = fc.record(
  {
    content: fc.array(contentPart, { maxLength: 3 }),
    structuredContent: fc.constantFrom<unknown>({ n: 1 }, [], null),
    isError: fc.boolean(),
  },
  { requiredKeys: ['content'] },
);
const states = Object.keys(toolBlockStatus) as ToolCallState[];
const call: fc.Arbitrary<RandomCall> = fc.record({
  callId: fc.constantFrom(
    'call_0',
    'call_1',
    '',
    'functions.x:0',
    'ä ö',
    'x'.repeat(99),
    'Ab3dE5gH9',
  ),
  name: fc.constantFrom('mcp__s__read', 'made up!', '', '9lives', '工具', 'y'.repeat(80)),
  state: fc.constantFrom(...states),
  result: fc.option(result, { nil: undefined }),
  vendorRun: fc.boolean(),
});
const round: fc.Arbitrary<RandomRound> = fc.record({
  thinking: fc.option(text, { nil: undefined }),
  text: fc.option(text, { nil: undefined }),
  afterthought: fc.option(text, { nil: undefined }),
  image: fc.boolean(),
  calls: fc.array(call, { maxLength: 3 }),
  cut: fc.boolean(),
});
const turn: fc.Arbitrary<RandomTurn> = fc.record({
  question: text,
  media: fc.array(
    fc.record({
      type: fc.constantFrom('image', 'file'),
      mimeType: fc.constantFrom(undefined, 'image/png', 'audio/wav', 'application/pdf'),
      data: fc.constantFrom(undefined, '', 'ZGF0YQ=='),
    }),
    { maxLength: 2 },
  ),
  model: fc.constantFrom(...pathModels),
  rounds: fc.array(round, { maxLength: 4 }),
  ending: fc.constantFrom('success', 'error', 'stopped'),
});

/**
 * A branch as an engine may leave it, ended turns and then one that runs: vendors change, rounds are
 * cut, calls end in every way, ids repeat and are illegal, texts are empty.
 */
export const randomPath: fc.Arbitrary<Message[]> = fc
  .array(turn, { minLength: 1, maxLength: 5 })
  .map((turns) =>
    turns.flatMap((each, index) => messagesOf(each, index, index === turns.length - 1)),
  );

function messagesOf(turn: RandomTurn, index: number, isLast: boolean): Message[] {
  const id = `q${index}`;
  const answerId = `a${index}`;
  const base = { topicId: 't', createdAt: index, ...(!isLast && { endedAt: index }) };
  const question: Block[] = [block(id, 0, 0, { type: 'main_text', content: turn.question })];
  for (const media of turn.media) question.push(block(id, question.length, 0, media));
  return [
    {
      ...base,
      id,
      parentId: index === 0 ? null : `a${index - 1}`,
      role: 'user',
      status: 'success',
      blocks: question,
    },
    {
      ...base,
      id: answerId,
      parentId: id,
      role: 'assistant',
      status: isLast ? 'processing' : turn.ending,
      model: turn.model,
      blocks: answerBlocks(turn, answerId, isLast),
    },
  ];
}

/** A running answer asks its next round only after one with calls; whatever ended may end anyhow. */
function answerBlocks(turn: RandomTurn, id: string, isLast: boolean): Block[] {
  const blocks: Block[] = [];
  const add = (round: number, fields: object) =>
    blocks.push(block(id, blocks.length, round, fields));
  for (const [round, each] of turn.rounds.entries()) {
    const goesOn = isLast || round < turn.rounds.length - 1;
    const asksUs = each.calls.some(({ vendorRun }) => !vendorRun);
    const calls = goesOn && !each.cut && !asksUs ? [...each.calls, spareCall] : each.calls;
    const status: BlockStatus = each.cut ? 'interrupted' : 'success';
    const think = (content: string | undefined) => {
      if (content === undefined) return;
      const signed = turn.model !== 'local/plain' && !each.cut;
      const signature = signed ? { signature: `signed by ${turn.model} ${blocks.length}` } : {};
      add(round, { type: 'thinking', status, content, ...signature });
    };
    think(each.thinking);
    if (each.text !== undefined) add(round, { type: 'main_text', status, content: each.text });
    think(each.afterthought);
    if (each.image) add(round, { type: 'image', status, mimeType: 'image/png', data: 'bWFkZQ==' });
    for (const made of calls) add(round, toolFields(made, each.cut, turn.model, blocks.length));
  }
  return blocks;
}

const spareCall: RandomCall = {
  callId: 'call_0',
  name: 'mcp__s__read',
  state: 'succeeded',
  result: { content: [{ type: 'text', text: 'ok' }] },
  vendorRun: false,
};

function toolFields(made: RandomCall, cut: boolean, model: string, place: number): object {
  const state = made.vendorRun ? 'succeeded' : made.state;
  return {
    type: 'tool',
    status: cut ? 'interrupted' : toolBlockStatus[state],
    state,
    toolCallId: `t${place}`,
    callId: made.callId,
    serverId: made.vendorRun ? '' : 's',
    serverName: '',
    toolName: made.name,
    modelToolName: made.name,
    arguments: { path: 'x' },
    ...(model !== 'local/plain' && { signature: `signed by ${model} ${place}` }),
    ...(!made.vendorRun && made.result && { result: made.result }),
  };
}

function block(messageId: string, ordinal: number, round: number, fields: object): Block {
  const id = `${messageId}.${ordinal}`;
  const base = { id, messageId, ordinal, round, content: '', startedAt: 1, endedAt: 2 };
  return { ...base, status: 'success', ...fields } as Block;
}
