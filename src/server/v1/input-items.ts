import { resultText } from '#chat/runs/tool-activity.ts';
import { argumentsText, isSpoken } from '#shared/answer/answer-cursor.ts';
import { clientCallId } from '#shared/answer/client-calls.ts';
import type { InputItemsQuery } from '#shared/api/v1-api.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { itemId } from './responses-ids.ts';

/** The input of an answer, as a page of a list of items. */
export function inputItems(
  history: readonly Message[],
  { order, limit, after }: InputItemsQuery,
): object {
  const items = history.flatMap(toItems);
  const all = order === 'asc' ? items : items.toReversed();
  const rest = all.slice(all.findIndex(({ id }) => id === after) + 1);
  const data = rest.slice(0, limit);
  const ids = data.map(({ id }) => id);
  return {
    object: 'list',
    data,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    has_more: rest.length > data.length,
  };
}

type Item = { id: string } & Record<string, unknown>;

function toItems(message: Message): Item[] {
  const { role, blocks } = message;
  const spoken = blocks.filter(({ type }) => type !== 'tool' && type !== 'thinking');
  const [first] = spoken;
  const content = spoken.flatMap((block) => partOf(block, role));
  const said: Item[] =
    first && content.length > 0
      ? [{ id: itemId('msg', first), type: 'message', role, status: 'completed', content }]
      : [];
  return [...said, ...blocks.flatMap(callItems)];
}

function partOf(block: Block, role: Message['role']): object[] {
  if (isSpoken(block)) {
    const text = block.content;
    if (role === 'user') return [{ type: 'input_text', text }];
    return [{ type: 'output_text', text, annotations: [] }];
  }
  if (block.type === 'image')
    return [{ type: 'input_image', file_id: block.stored?.id ?? null, detail: 'auto' }];
  if (block.type !== 'file') return [];
  return [{ type: 'input_file', file_id: block.stored?.id ?? null, filename: block.name }];
}

function callItems(block: Block): Item[] {
  if (block.type !== 'tool' || !block.client) return [];
  const call = { call_id: clientCallId(block), status: 'completed' };
  const output = resultText(block);
  return [
    {
      id: itemId('fc', block),
      type: 'function_call',
      ...call,
      name: block.modelToolName,
      arguments: argumentsText(block),
    },
    ...(output === undefined
      ? []
      : [{ id: itemId('fco', block), type: 'function_call_output', ...call, output }]),
  ];
}
