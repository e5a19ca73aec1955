import type { Writable } from 'node:stream';
import { messageOf } from '#shared/errors/errors.ts';
import { styleText } from 'node:util';
import { truncate } from '#shared/text/text.ts';
import {
  type Block,
  type CompactBlock,
  isBlockOpen,
  type MediaBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolBlock,
} from '#shared/vocabulary/block.ts';
import type { RetryReason } from '#shared/vocabulary/chunk.ts';
import type { Message, Retry } from '#shared/vocabulary/message.ts';
import { resultLines } from './result-lines.ts';
import { sizeText } from '../terminal/size-text.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { tell, tellError } from '../messages/tell.ts';

/** Prints an answer while it is made: blocks in their order, text as it grows, tools as they end. */
export class AnswerPrinter {
  readonly #out: Writable;
  /** How many blocks are wholly printed, and how much of the next one. */
  #done = 0;
  #printed = 0;
  /** When the model is asked again, as far as that was printed. */
  #retryAt = 0;

  constructor(out: Writable) {
    this.#out = out;
  }

  show(answer: Message): void {
    this.#showRetry(answer.waiting?.retry);
    for (; this.#done < answer.blocks.length; this.#done += 1, this.#printed = 0) {
      const block = answer.blocks[this.#done];
      if (!block || !this.#showBlock(block)) return;
    }
  }

  end(answer: Message, topicId: string): void {
    if (answer.status === 'stopped')
      this.#out.write(this.#dim(`\n${tell(say('cli-stopped')`Stopped.`)}\n`));
    this.#out.write(
      this.#dim(
        `\n${terminalText(answer.model ?? '')} · ${tell(say('cli-topic')`topic ${topicId}`)}\n`,
      ),
    );
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
    this.#out.write(this.#dim(`${words}\n\n`));
  }

  /** True if nothing more of the block will come. */
  #showBlock(block: Block): boolean {
    const open = isBlockOpen(block);
    if (block.type === 'main_text' || block.type === 'thinking' || block.type === 'compact') {
      const text = terminalText(block.content.slice(this.#printed));
      this.#printed = block.content.length;
      this.#out.write(block.type === 'thinking' ? this.#dim(text) : text);
      if (!open) this.#out.write('\n\n');
      return !open;
    }
    if (open) return false;
    this.#out.write(`${this.#line(block)}\n\n`);
    return true;
  }

  #line(block: Exclude<Block, TextBlock | ThinkingBlock | CompactBlock>): string {
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
        return styleText('red', terminalText(tellError(block.error)), { stream: this.#out });
      case 'image':
      case 'file':
      case 'video':
        return this.#dim(mediumLine(block));
      case 'translation':
      case 'code':
      case 'unknown':
        return this.#dim(`[${block.type}]`);
    }
  }

  #toolLine(block: ToolBlock): string {
    const mark =
      block.state === 'succeeded'
        ? styleText('green', '✓', { stream: this.#out })
        : styleText('red', '✗', { stream: this.#out });
    const time = block.endedAt === undefined ? '' : ` ${block.endedAt - block.startedAt} ms`;
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
    return styleText('dim', text, { stream: this.#out });
  }
}

const retryReasons: Record<RetryReason, Sentence> = {
  rate_limited: say('cli-retry-rate')`Rate limited`,
  overloaded: say('cli-retry-overloaded')`Provider overloaded`,
  unreachable: say('cli-retry-unreachable')`Can't reach the provider`,
  failed: say('cli-retry-failed')`Provider error`,
  empty: say('cli-retry-empty')`Empty answer from the model`,
};

/** A medium by its name, type and size. */
function mediumLine(block: MediaBlock): string {
  const { type, name, mimeType, data, stored } = block;
  const size = data || stored ? sizeText({ data, stored }) : undefined;
  const facts = [name, mimeType, size].filter(Boolean).join(', ');
  return terminalLine(facts === '' ? `[${type}]` : `[${type}: ${facts}]`);
}
