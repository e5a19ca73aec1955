import { truncate } from '#shared/text/text.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelMessage } from '#shared/vocabulary/model.ts';
import { pathTo } from '#store/conversations/messages.ts';
import { updateTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { titleText } from './title-text.ts';

const maxPartChars = 4000;
const instruction =
  'Give this conversation a title of at most six words, in its own language. Answer with the title alone: no quotes, no full stop.';

/** Names a topic after its first answer (`fetchTopicNaming`). A person's own title is never replaced. */
export async function nameTopic(
  store: Store,
  model: ModelAdapter,
  live: LiveTopic,
  answer: Message,
  signal: AbortSignal,
): Promise<void> {
  if (live.topic.titled) return;
  const path = await pathTo(store.db, live.id, answer.id);
  const title = await askForTitle(model, path, signal);
  if (!title) return;
  await live.serially(async () => {
    if (live.topic.titled) return;
    const patch = { title, titled: true };
    await live.commit({
      events: [{ type: 'topic-update', patch }],
      inRows: true,
      rows: (tx) => updateTopic(tx, live.owner, live.id, patch),
    });
  });
}

async function askForTitle(
  model: ModelAdapter,
  path: Message[],
  signal: AbortSignal,
): Promise<string> {
  const messages = path.slice(0, 2).map(spoken);
  const stream = model.stream(
    {
      purpose: 'title',
      system: instruction,
      messages: [...messages, { role: 'user', parts: [{ type: 'text', text: instruction }] }],
      tools: [],
      parameters: { maxOutputTokens: 60 },
    },
    signal,
  );
  let title = '';
  for await (const batch of stream)
    for (const chunk of batch) if (chunk.type === 'text-delta') title += chunk.text;
  return cleanTitle(title);
}

/** What was said, without tools and files: a title needs no more, and any model takes it. */
function spoken({ role, blocks }: Message): ModelMessage {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'main_text') return block.content;
    return role === 'user' && 'mimeType' in block ? (block.name ?? block.mimeType ?? []) : [];
  });
  const text = truncate(texts.join('\n\n'), maxPartChars) || '…';
  return { role, parts: [{ type: 'text', text }] };
}

function cleanTitle(text: string): string {
  const line = titleText(text.trim().split('\n')[0] ?? '');
  return truncate(line.replaceAll(/^["'“”「《]+|["'“”」》.。]+$/g, '').trim(), 80);
}
