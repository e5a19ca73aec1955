import type { InputView } from '#shared/api/input-api.ts';
import { firstSight } from '../../ui/text/first-sight.ts';

type Params = Extract<InputView, { kind: 'sampling' }>['params'];
type Content = Params['messages'][number]['content'][number];

/** A text and as much of it as is drawn (undefined: not even begun), or a medium. */
export type SamplingPart =
  | { text: string; shown: string | undefined }
  | Exclude<Content, { type: 'text' }>;

/** What somebody says in a request, or where its answer is to stop. */
export interface SamplingMessage {
  role: 'system' | 'user' | 'assistant' | 'stop';
  parts: SamplingPart[];
}

/** Every text that would be sent, in the order in which it is drawn. */
export function samplingTexts(params: Params): string[] {
  return contents(params).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
  );
}

/** The whole request as it is drawn: in full, or as much as is shown at first. */
export function samplingParts(params: Params, isWhole: boolean): SamplingMessage[] {
  const texts = samplingTexts(params);
  const shown = (isWhole ? texts : firstSight(texts).texts).values();
  return contents(params).map(({ role, parts }) => ({
    role,
    parts: parts.map((part) =>
      part.type === 'text' ? { text: part.text, shown: shown.next().value } : part,
    ),
  }));
}

function contents(params: Params): { role: SamplingMessage['role']; parts: Content[] }[] {
  const { systemPrompt, messages, stopSequences = [] } = params;
  const toText = (text: string) => ({ type: 'text' as const, text });
  return [
    ...(systemPrompt === undefined
      ? []
      : [{ role: 'system' as const, parts: [toText(systemPrompt)] }]),
    ...messages.map(({ role, content }) => ({ role, parts: content })),
    ...(stopSequences.length === 0
      ? []
      : [{ role: 'stop' as const, parts: stopSequences.map(toText) }]),
  ];
}
