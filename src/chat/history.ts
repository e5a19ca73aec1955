import type { Block, ToolBlock } from '#shared/block.ts';
import type { Message } from '#shared/message.ts';
import type { ModelMessage, ModelPart } from '#shared/model.ts';
import type { ToolResult } from '#shared/tool.ts';
import { limitForModel } from '#tools/results.ts';

/**
 * The branch as the model is to see it: calls and results in their own roles, one group a round.
 * Rounds that were cut are left out, every call has an outcome, and ids are unique. Pure.
 */
export function buildHistory(path: Message[], model: string): ModelMessage[] {
  const callIds = new UniqueIds();
  return path.flatMap((message) =>
    message.role === 'user'
      ? userMessages(message)
      : completeRounds(message).flatMap((blocks) =>
          roundMessages(blocks, message.model === model, callIds),
        ),
  );
}

function userMessages(message: Message): ModelMessage[] {
  const parts = message.blocks.flatMap((block): ModelPart[] => {
    if (block.type === 'main_text') return [{ type: 'text', text: block.content }];
    if ((block.type === 'image' || block.type === 'file') && block.data && block.mimeType)
      return [{ type: 'file', mimeType: block.mimeType, data: block.data, name: block.name }];
    return [];
  });
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

/** The rounds of an answer that count. One before the last without a call in it was cut short. */
function completeRounds(message: Message): Block[][] {
  const rounds = roundsOf(message);
  return rounds.filter((blocks, index) => index === rounds.length - 1 || !wasCut(blocks));
}

/** How many rounds before `round` were cut by an end of the process. */
export function countCutRounds(message: Message, round: number): number {
  return roundsOf(message).filter((blocks) => (blocks[0]?.round ?? 0) < round && wasCut(blocks))
    .length;
}

function roundsOf(message: Message): Block[][] {
  return [...Map.groupBy(message.blocks, ({ round }) => round).values()];
}

function wasCut(blocks: Block[]): boolean {
  return !blocks.some((block) => block.type === 'tool' && block.status !== 'interrupted');
}

function roundMessages(blocks: Block[], sameModel: boolean, callIds: UniqueIds): ModelMessage[] {
  const parts: ModelPart[] = [];
  const results: Extract<ModelMessage, { role: 'tool' }>['results'] = [];
  for (const block of blocks) {
    if (block.status === 'interrupted') continue;
    if (block.type === 'thinking' && sameModel)
      parts.push({ type: 'thinking', text: block.content, signature: block.signature });
    if (block.type === 'main_text' && block.content !== '')
      parts.push({ type: 'text', text: block.content });
    if (block.type !== 'tool' || block.serverId === '') continue;
    const callId = callIds.unique(block.callId);
    const toolName = block.modelToolName;
    parts.push({ type: 'tool-call', callId, toolName, arguments: block.arguments });
    results.push({ callId, toolName, result: limitForModel(outcomeForModel(block)) });
  }
  if (!parts.some(({ type }) => type !== 'thinking')) return [];
  const assistant: ModelMessage = { role: 'assistant', parts };
  return results.length === 0 ? [assistant] : [assistant, { role: 'tool', results }];
}

const withoutResult: Record<Exclude<ToolBlock['state'], 'succeeded' | 'failed'>, string> = {
  proposed: 'This call was never run: nobody approved it.',
  approved: 'This call was never run.',
  dispatching: 'The outcome of this call is unknown: it may or may not have happened.',
  parked: 'This call still waits for an answer of the user.',
  cancelled: 'The user cancelled this call. It may have had an effect before that.',
  timed_out: 'This call took too long and was cancelled. It may have had an effect.',
  denied: 'The user denied this call. It was not run.',
  outcome_unknown:
    'The outcome of this call is unknown: the connection was lost after it was sent, so it may or may not have happened. Do not assume either; check before repeating it.',
};

function outcomeForModel(block: ToolBlock): ToolResult {
  if (block.result) return block.result;
  const text =
    block.state === 'succeeded' || block.state === 'failed'
      ? (block.error?.message ?? 'The call failed.')
      : withoutResult[block.state];
  const hint = block.error?.hint;
  return { isError: true, content: [{ type: 'text', text: hint ? `${text} ${hint}` : text }] };
}

/** Vendors repeat ids such as `call_0` from round to round; in one request each must be unique. */
class UniqueIds {
  readonly #used = new Set<string>();

  unique(id: string): string {
    let candidate = id || 'call';
    for (let n = 2; this.#used.has(candidate); n += 1) candidate = `${id || 'call'}_${n}`;
    this.#used.add(candidate);
    return candidate;
  }
}
