import { z } from 'zod';
import type { CallWord } from '#chat/runs/decide-calls.ts';
import type { BroughtPart } from '#chat/runs/run-request.ts';
import type { UiRequest } from '#chat/runs/ui-answers.ts';
import type { UiQuestion } from '#chat/runs/ui-question.ts';
import { sendMessageSchema } from '#shared/api/api.ts';
import { say } from '#shared/errors/sentence.ts';
import { parseAs } from '../api/parse-body.ts';
import { fileAt } from '../v1/brought-files.ts';
import type { LargeJson } from '../v1/large-json.ts';
import { historyOf, refused } from '../v1/request-parts.ts';

/** Ids that pages make up, and ours. */
const name = z.string().max(200);
const partSchema = z.looseObject({ type: z.string() });
const textPartSchema = z.looseObject({ type: z.literal('text'), text: z.string() });
const filePartSchema = z.looseObject({
  type: z.literal('file'),
  url: z.string(),
  filename: z.string().max(1000).nullish(),
});
const respondedPartSchema = z.looseObject({
  state: z.literal('approval-responded'),
  toolCallId: z.string(),
  approval: z.looseObject({ approved: z.boolean() }),
});
const messageSchema = z.looseObject({
  id: name,
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(partSchema),
});
type UiMessage = z.infer<typeof messageSchema>;

/** What a chat transport of the AI SDK sends. Pages may add fields of their own. */
const requestSchema = z.looseObject({
  messages: historyOf(messageSchema),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: name.nullish(),
  model: sendMessageSchema.shape.model,
  tools: sendMessageSchema.shape.tools,
});

/** Reads what the AI SDK's chat sends: all its messages, of which only what is new is looked at. */
export function readUiRequest({ value, file }: LargeJson): UiRequest {
  const body = parseAs(requestSchema, value);
  const { messages, trigger, model, tools } = body;
  const messageId = body.messageId ?? undefined;
  const asked = { model, tools };
  const last = messages.at(-1);
  const question = () => toQuestion(messages, last?.id === messageId, file);
  if (trigger === 'regenerate-message')
    return {
      ...asked,
      type: 'regenerate',
      answerId: messageId,
      question: last?.role === 'user' ? question() : undefined,
    };
  const continued = messages.find(({ id, role }) => id === messageId && role === 'assistant');
  const answer = continued ?? (last?.role === 'assistant' ? last : undefined);
  if (answer) return { ...asked, type: 'decide', answerId: answer.id, words: wordsIn(answer) };
  if (last?.role === 'user') return { ...asked, type: 'send', question: question() };
  throw nothingNew();
}

/** The last message of all. */
function toQuestion(messages: UiMessage[], isEdit: boolean, file: LargeJson['file']): UiQuestion {
  const said = messages.at(-1);
  const after = messages.findLast(({ role }) => role === 'assistant')?.id;
  const parts = said?.parts.flatMap((part) => toPart(part, file)) ?? [];
  return { name: said?.id ?? '', parts, after, isEdit };
}

const ownFile = /^\/api\/blobs\/([\w-]+)$/;

function toPart(part: UiMessage['parts'][number], file: LargeJson['file']): BroughtPart[] {
  if (part.type === 'text') return [parseAs(textPartSchema, part)].map(toText);
  if (part.type !== 'file') return [];
  const { url, filename } = parseAs(filePartSchema, part);
  const [, id] = ownFile.exec(url) ?? [];
  if (id !== undefined) return [{ type: 'stored', id }];
  return [fileAt(url, { file }, filename ?? undefined)];
}

function toText({ text }: z.infer<typeof textPartSchema>): BroughtPart {
  return { type: 'text', text };
}

/** What the person said of the calls of an answer. */
function wordsIn({ parts }: UiMessage): CallWord[] {
  const words = parts.flatMap((part) => {
    const responded = respondedPartSchema.safeParse(part);
    if (!responded.success) return [];
    const { toolCallId, approval } = responded.data;
    return [{ toolCallId, approve: approval.approved }];
  });
  if (words.length === 0) throw nothingNew();
  return words;
}

function nothingNew() {
  return refused(
    say('ui-nothing-new')`The request has no new message and no approval response.`,
    'messages',
  );
}
