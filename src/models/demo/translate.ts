import type { ModelMessage } from '#shared/vocabulary/model.ts';

/** The text to translate, under a line that says in both languages that nothing was translated. */
export function pretendToTranslate(messages: ModelMessage[]): string {
  const last = messages.at(-1);
  const said = last?.role === 'user' ? last.parts : [];
  const text = said.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const [, inner = text] = /^<text>\n([^]*)\n<\/text>$/.exec(text) ?? [];
  return `*The scripted demo model cannot translate; this is the text itself. 脚本演示模型不会翻译，以下是原文。*\n\n${inner}`;
}
