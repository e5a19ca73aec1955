import { findGap } from '#shared/text/text-gap.ts';
import { truncate } from '#shared/text/text.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { contentText } from '../terminal/content-text.ts';
import { sizeText } from '../terminal/size-text.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

const most = { characters: 400, lines: 6 };

/** A result in a few lines: its first words, how much of them was left out, and its media. */
export function resultLines({ content, structuredStored }: ToolResult): string[] {
  const words = content.filter((part) => wordsOf(part) !== undefined);
  const others = content.filter((part) => !words.includes(part)).map(contentText);
  if (structuredStored)
    others.push(
      tell(say('cli-structured')`[structured data, ${sizeText({ stored: structuredStored })}]`),
    );
  const lines = others.map((line) => truncate(line.replaceAll(/\s+/g, ' '), 200));
  const unseen = lines.length - most.lines;
  return [
    ...firstLines(words),
    ...lines.slice(0, most.lines),
    ...(unseen > 0 ? [tell(say('cli-more')`[… ${unseen} more]`)] : []),
  ];
}

function firstLines(words: ContentPart[]): string[] {
  const texts = words.map((part) => wordsOf(part) ?? '');
  const text = texts.map((each) => each.slice(0, findGap(each)?.at)).join('\n');
  const lines = terminalText(truncate(text, most.characters)).split('\n').slice(0, most.lines);
  if (text.trim() === '') return [];
  const whole = texts.reduce((sum, each) => sum + wholeLength(each), texts.length - 1);
  const missing = whole - lines.join('\n').length;
  if (lines.join('\n') === terminalText(text) && whole === text.length) return lines;
  return [
    ...lines,
    tell(
      say(
        'cli-left-out-chars',
      )`[… ${missing.toLocaleString('en')} characters omitted${sizeNote(words)}]`,
    ),
  ];
}

/** The text of a part that is one. */
function wordsOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' ? part.resource.text : undefined;
}

/** How long a text is of which this may be the preview. */
function wholeLength(text: string): number {
  const cut = findGap(text);
  return cut ? text.length - cut.length + cut.missing : text.length;
}

function sizeNote(words: ContentPart[]): string {
  const sizes = words.flatMap((part) => ('stored' in part && part.stored ? part.stored.size : []));
  if (sizes.length === 0) return '';
  const size = sizes.reduce((sum, each) => sum + each, 0);
  return tell(
    say('cli-stored-whole')`; full result stored (${sizeText({ stored: { id: '', size } })})`,
  );
}
