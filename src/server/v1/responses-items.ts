import { resultText } from '#chat/runs/tool-activity.ts';
import { argumentsText, type SpokenBlock } from '#shared/answer/answer-cursor.ts';
import { clientCallId } from '#shared/answer/client-calls.ts';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import { type ClientTool, customInput } from './client-tools.ts';
import { approvalId, itemId } from './responses-ids.ts';

/** An item of a response's output. */
export type OutputItem = { id: string; type: string } & Record<string, unknown>;

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The item of a text or of thinking, with as much of its text as it has by now. */
export function spokenItem(block: SpokenBlock, text: string, status: ItemStatus): OutputItem {
  const isEmpty = status === 'in_progress' && text === '';
  if (block.type === 'thinking')
    return {
      id: itemId('rs', block),
      type: 'reasoning',
      summary: isEmpty ? [] : [{ type: 'summary_text', text }],
      status,
    };
  return {
    id: itemId('msg', block),
    type: 'message',
    status,
    role: 'assistant',
    content: isEmpty ? [] : [textPart(text)],
  };
}

/** The text of a message. */
export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

/** A call that the program runs, of a tool of its own. */
export function ownCallItem(
  block: ToolBlock,
  { name, namespace, isCustom }: ClientTool,
  isWhole: boolean,
): OutputItem {
  const args = isWhole ? argumentsText(block) : '';
  return {
    id: itemId(isCustom ? 'ctc' : 'fc', block),
    type: isCustom ? 'custom_tool_call' : 'function_call',
    call_id: clientCallId(block),
    name,
    ...(namespace && { namespace }),
    ...(isCustom ? { input: customInput(args) } : { arguments: args }),
    status: isWhole ? 'completed' : 'in_progress',
  };
}

/** A call that was made here. */
export function callItem(block: ToolBlock, isWhole: boolean, isOver: boolean): OutputItem {
  const args = isWhole ? argumentsText(block) : '';
  const { error, state } = block;
  const hasFailed = isOver && state !== 'succeeded';
  return {
    id: itemId('mcp', block),
    type: 'mcp_call',
    server_label: block.serverName,
    name: block.toolName,
    arguments: args,
    approval_request_id: null,
    output: isOver ? (resultText(block) ?? null) : null,
    error: hasFailed ? (error?.message ?? resultText(block) ?? state) : null,
    status: isOver ? (hasFailed ? 'failed' : 'completed') : 'in_progress',
  };
}

/** The item that asks the program to approve a call. */
export function approvalItem(block: ToolBlock): OutputItem {
  return {
    id: approvalId(block.toolCallId),
    type: 'mcp_approval_request',
    server_label: block.serverName,
    name: block.toolName,
    arguments: argumentsText(block),
  };
}

/** A picture that the model made; its bytes are in `/api/blobs` where they are large. */
export function imageItem(block: Extract<Block, { type: 'image' }>): OutputItem {
  return {
    id: itemId('ig', block),
    type: 'image_generation_call',
    status: 'completed',
    result: block.data ?? null,
  };
}
