import type { Writable } from 'node:stream';
import { messageOf } from '#shared/errors/errors.ts';
import { truncate } from '#shared/text/text.ts';
import {
  type Block,
  type CompactBlock,
  isBlockOpen,
  isMediaBlock,
  type MediaBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolBlock,
} from '#shared/vocabulary/block.ts';
import type { RetryReason } from '#shared/vocabulary/chunk.ts';
import type { Message, Retry } from '#shared/vocabulary/message.ts';
import { MarkdownPrinter } from './markdown-printer.ts';
import { type Painter, painterFor } from './painter.ts';
import { resultLines } from './result-lines.ts';
import { StatusLine } from './status-line.ts';
import { screenSize } from '../terminal/screen-size.ts';
import { sizeText } from '../terminal/size-text.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { tell, tellError } from '../messages/tell.ts';

/** Where an answer is printed. */
export type AnswerOutput = Writable & { isTTY?: boolean; columns?: number };

/**
 * Prints an answer while it is made: blocks in their order, text as it grows, tools as they end. A terminal gets
 * Markdown laid out and a line that tells what runs; anything else gets the text as the model wrote it.
 */
export class AnswerPrinter {
  readonly #out: AnswerOutput;
  readonly #paint: Painter;
  readonly #status: StatusLine;
  /** How many blocks are wholly printed, and how much of the next one. */
  #done = 0;
  #printed = 0;
  #markdown: MarkdownPrinter | undefined;
  /** When the model is asked again, as far as that was printed. */
  #retryAt = 0;

  constructor(out: AnswerOutput, env: NodeJS.ProcessEnv = {}) {
    this.#out = out;
    this.#paint = painterFor(out);
    this.#status = new StatusLine(out, out.isTTY === true && env['TERM'] !== 'dumb');
  }

  show(answer: Message): void {
    this.#showRetry(answer.waiting?.retry);
    for (; this.#done < answer.blocks.length; this.#done += 1, this.#printed = 0) {
      const block = answer.blocks[this.#done];
      if (!block || !this.#showBlock(block)) return this.#showRunning(block);
    }
    if (answer.waiting?.for === 'model')
      this.#status.show(tell(say('cli-waiting-model')`Waiting for the model…`));
  }

  /** Nothing but what was printed stays on the screen, for instance while a question is asked. */
  pause(): void {
    this.#status.clear();
  }

  /** Says how it ended, which model answered, and where to go on unless that is here. */
  end(answer: Message, topicId?: string): void {
    if (answer.status === 'stopped')
      this.#write(this.#dim(`${tell(say('cli-stopped')`Stopped.`)}\n`));
    const topic = topicId === undefined ? [] : [tell(say('cli-topic')`topic ${topicId}`)];
    const facts = [terminalText(answer.model ?? ''), ...topic].join(' · ');
    this.#write(this.#dim(`${topicId === undefined ? '' : '\n'}${facts}\n`));
  }

  #showRetry(retry: Retry | undefined): void {
    if (!retry || retry.at === this.#retryAt) return;
    this.#retryAt = retry.at;
    const { reason, attempt, of, at } = retry;
    const seconds = Math.max(0, Math.ceil((at - Date.now()) / 1000));
    const words = tell(
      say(
        'cli-retry',
      )`${retryReasons[reason]}. Retrying in ${seconds} s (attempt ${attempt} of ${of}). Press Ctrl-C to stop, or use --model to choose another model.`,
    );
    this.#write(this.#dim(`${words}\n\n`));
  }

  /** True if nothing more of the block will come. */
  #showBlock(block: Block): boolean {
    const open = isBlockOpen(block);
    if (block.type === 'main_text' || block.type === 'thinking' || block.type === 'compact') {
      const text = terminalText(block.content.slice(this.#printed));
      this.#printed = block.content.length;
      this.#write(this.#layOut(text, block));
      if (!open) this.#write('\n\n');
      return !open;
    }
    if (open) return false;
    this.#write(`${this.#line(block)}\n\n`);
    return true;
  }

  #layOut(text: string, block: TextBlock | ThinkingBlock | CompactBlock): string {
    const dim: Painter = (words, looks) => this.#paint(words, [...looks, 'dim']);
    const paint = block.type === 'thinking' ? dim : this.#paint;
    if (!this.#out.isTTY) return paint(text, []);
    this.#markdown ??= new MarkdownPrinter(() => screenSize(this.#out).columns, paint);
    const words = this.#markdown.add(text);
    if (isBlockOpen(block)) return words;
    const rest = this.#markdown.end();
    this.#markdown = undefined;
    return words + rest;
  }

  #showRunning(block: Block | undefined): void {
    if (block?.type !== 'tool' || block.state === 'proposed') return;
    const { progress, serverName, toolName } = block;
    const ratio = progress?.ratio === undefined ? '' : ` ${Math.floor(progress.ratio * 100)} %`;
    const note = progress?.message === undefined ? '' : ` ${progress.message}`;
    this.#status.show(terminalLine(`${serverName} · ${toolName}…${ratio}${note}`));
  }

  #write(text: string): void {
    if (text === '') return;
    this.#status.clear();
    this.#out.write(text);
  }

  #line(block: Exclude<Block, TextBlock | ThinkingBlock | CompactBlock>): string {
    if (isMediaBlock(block)) return this.#dim(mediumLine(block));
    switch (block.type) {
      case 'tool':
        return this.#toolLine(block);
      case 'citation':
        return block.citations
          .map(({ number, title, url }) =>
            this.#dim(terminalText(`[${number}] ${title ?? ''} ${url ?? ''}`)),
          )
          .join('\n');
      case 'error':
        return this.#paint(terminalText(tellError(block.error)), ['error']);
      case 'translation':
      case 'code':
      case 'unknown':
        return this.#dim(`[${block.type}]`);
    }
  }

  #toolLine(block: ToolBlock): string {
    const mark =
      block.state === 'succeeded' ? this.#paint('✓', ['success']) : this.#paint('✗', ['error']);
    const time = block.endedAt === undefined ? '' : ` ${timeText(block.endedAt - block.startedAt)}`;
    const args = truncate(JSON.stringify(block.arguments), 200);
    const place = [
      block.serverName,
      block.vendor && tell(say('cli-run-by')`run by ${block.vendor}`),
    ].filter(Boolean);
    const name = [...place, block.toolName].join(' · ');
    const head = `${mark} ${terminalText(`${name} ${args}`)}${this.#dim(time)}`;
    const lines = block.error
      ? terminalText(truncate(tell(messageOf(block.error)), 400))
          .split('\n')
          .slice(0, 6)
      : resultLines(block.result ?? { content: [] });
    return [head, ...lines.map((line) => this.#dim(`  ${line}`))].join('\n');
  }

  #dim(text: string): string {
    return this.#paint(text, ['dim']);
  }
}

const retryReasons: Record<RetryReason, Sentence> = {
  rate_limited: say('cli-retry-rate')`Rate limited`,
  overloaded: say('cli-retry-overloaded')`Provider overloaded`,
  unreachable: say('cli-retry-unreachable')`Can't reach the provider`,
  failed: say('cli-retry-failed')`Provider error`,
  empty: say('cli-retry-empty')`Empty answer from the model`,
};

function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A medium by its name, type and size. */
function mediumLine(block: MediaBlock): string {
  const { type, name, mimeType, data, stored } = block;
  const size = data || stored ? sizeText({ data, stored }) : undefined;
  const facts = [name, mimeType, size].filter(Boolean).join(', ');
  return terminalLine(facts === '' ? `[${type}]` : `[${type}: ${facts}]`);
}
