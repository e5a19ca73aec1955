import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelCapabilities, ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { pathModels, randomPath } from '../../../test/random-path.ts';
import { type HistoryTarget } from './history-media.ts';
import { buildHistory } from './history.ts';

const capabilities: fc.Arbitrary<ModelCapabilities> = fc.record({
  tools: fc.constant(true),
  imagesIn: fc.boolean(),
  audioIn: fc.boolean(),
  filesIn: fc.boolean(),
  imagesOut: fc.boolean(),
  reasoning: fc.boolean(),
  contextTokens: fc.constantFrom(undefined, 4096, 200_000),
});
const target: fc.Arbitrary<HistoryTarget> = fc.record(
  {
    model: fc.constantFrom(...pathModels, 'mistral/new'),
    capabilities,
    limits: fc.constant(usualLimits),
  },
  { requiredKeys: ['model', 'limits'] },
);

describe('the history of any conversation, for any model', () => {
  it('is legal for every vendor', () => {
    fc.assert(
      fc.property(randomPath, target, (path, target) => {
        expect(problems(buildHistory(path, target), target)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every question, and ends with what the model has to answer', () => {
    fc.assert(
      fc.property(randomPath, target, (path, target) => {
        const history = buildHistory(path, target);
        expect(['user', 'tool']).toContain(history.at(-1)?.role);
        const asked = history.flatMap((message) => (message.role === 'user' ? message.parts : []));
        for (const { blocks } of path.filter(({ role }) => role === 'user')) {
          const text = blocks[0]?.content ?? '';
          if (text.trim() !== '') expect(asked).toContainEqual({ type: 'text', text });
        }
      }),
    );
  });

  it('changes nothing of what it is given, and says the same twice', () => {
    fc.assert(
      fc.property(randomPath, target, (path, target) => {
        const before = structuredClone(path);
        const first = buildHistory(path, target);
        expect(path).toEqual(before);
        expect(JSON.stringify(buildHistory(before, target))).toBe(JSON.stringify(first));
      }),
    );
  });

  it('only grows from round to round, so that a prompt cache stays good', () => {
    fc.assert(
      fc.property(randomPath, target, fc.nat(4), (path, target, cutAt) => {
        const whole = buildHistory(path, target);
        const earlier = buildHistory(upToRound(path, cutAt), target);
        expect(bytes(whole).startsWith(bytes(earlier))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('only grows from turn to turn too, but for thinking that no vendor signed', () => {
    fc.assert(
      fc.property(randomPath, target, (path, target) => {
        const signing = { ...target, model: target.model === 'local/plain' ? 'x/y' : target.model };
        const earlier = pieces(buildHistory(path.slice(0, -2), signing));
        const whole = pieces(buildHistory(path, signing));
        expect(whole.slice(0, earlier.length)).toEqual(earlier);
      }),
      { numRuns: 300 },
    );
  });
});

/** The same branch before round `round` of the answer that runs. */
function upToRound(path: Message[], round: number): Message[] {
  return path.map((message, index) =>
    index < path.length - 1
      ? message
      : { ...message, blocks: message.blocks.filter((block) => block.round < round) },
  );
}

/** The JSON without its end, as a vendor's cache compares it. */
function bytes(history: ModelMessage[]): string {
  return JSON.stringify(history).slice(0, -1);
}

/** Parts with their role: neighbours of one role are one message, wherever they are cut. */
function pieces(history: ModelMessage[]): string[] {
  return history.flatMap((message) =>
    message.role === 'tool'
      ? [JSON.stringify(message)]
      : message.parts.map((part) => `${message.role} ${JSON.stringify(part)}`),
  );
}

const followers: Record<string, string[]> = {
  start: ['user'],
  user: ['assistant'],
  assistant: ['user'],
  'assistant with calls': ['tool'],
  tool: ['assistant'],
};

function problems(history: ModelMessage[], target: HistoryTarget): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  const lastUser = history.findLastIndex(({ role }) => role === 'user');
  let before = 'start';
  let open: string[] = [];
  for (const [index, message] of history.entries()) {
    if (!followers[before]?.includes(message.role)) found.push(`${message.role} after ${before}`);
    if (message.role === 'tool') {
      if (message.results.map(({ callId }) => callId).join() !== open.join()) found.push('results');
      for (const { result } of message.results) {
        const empty = result.content.length === 0 && result.structuredContent === undefined;
        if (empty) found.push('empty result');
        found.push(...result.content.flatMap((part) => contentProblems(part, target)));
      }
      before = 'tool';
      continue;
    }
    if (message.parts.length === 0) found.push('empty message');
    open = [];
    for (const part of message.parts) {
      found.push(...partProblems(part, target, index > lastUser));
      if (part.type !== 'tool-call') continue;
      open.push(part.callId);
      if (ids.has(part.callId)) found.push(`id ${part.callId} twice`);
      ids.add(part.callId);
    }
    if (message.role === 'user' && open.length > 0) found.push('the user calls');
    before = open.length > 0 ? 'assistant with calls' : message.role;
  }
  return found;
}

function partProblems(part: ModelPart, target: HistoryTarget, inTurn: boolean): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? ['blank text'] : [];
    case 'thinking':
      if (part.signature !== undefined) return foreign(part.signature, target);
      return inTurn && part.text.trim() !== '' ? [] : ['unsigned thinking'];
    case 'file':
      return part.data !== '' && takes(part.mimeType, target) ? [] : ['file'];
    case 'tool-call': {
      const legalId = /^[A-Za-z0-9_-]{1,64}$/.test(part.callId);
      const mistralId = target.model !== 'mistral/new' || /^[A-Za-z0-9]{9}$/.test(part.callId);
      const legalName = /^[A-Za-z0-9_-]{1,64}$/.test(part.toolName);
      return [
        ...(legalId && mistralId ? [] : [`id ${part.callId}`]),
        ...(legalName ? [] : [`name ${part.toolName}`]),
        ...(part.signature === undefined ? [] : foreign(part.signature, target)),
      ];
    }
  }
}

function contentProblems(part: ContentPart, target: HistoryTarget): string[] {
  if (part.type === 'text') return part.text.trim() === '' ? ['blank result'] : [];
  if (part.type === 'image' || part.type === 'audio')
    return part.data !== '' && takes(part.mimeType, target) ? [] : [part.type];
  if (part.type !== 'resource' || part.resource.blob === undefined) return [];
  return takes(part.resource.mimeType ?? '', target) ? [] : ['resource'];
}

function foreign(signature: string, { model }: HistoryTarget): string[] {
  return signature.startsWith(`signed by ${model} `) ? [] : [`signature: ${signature}`];
}

function takes(mimeType: string, { capabilities }: HistoryTarget): boolean {
  if (mimeType.startsWith('image/')) return capabilities?.imagesIn !== false;
  if (mimeType.startsWith('audio/')) return capabilities?.audioIn !== false;
  return mimeType === 'application/pdf' && capabilities?.filesIn !== false;
}
