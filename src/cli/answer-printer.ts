import { styleText } from 'node:util';
import { type Block, isBlockOpen, type ToolBlock } from '#shared/block.ts';
import type { Message } from '#shared/message.ts';
import { truncate } from '#shared/text.ts';
import type { ContentPart } from '#shared/tool.ts';
import { terminalText } from './terminal-text.ts';

/** Prints an answer while it is made: blocks in their order, text as it grows, tools as they end. */
export class AnswerPrinter {
  readonly #out: NodeJS.WriteStream;
  /** How many blocks are wholly printed, and how much of the next one. */
  #done = 0;
  #printed = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  show(answer: Message): void {
    for (; this.#done < answer.blocks.length; this.#done += 1, this.#printed = 0) {
      const block = answer.blocks[this.#done];
      if (!block || !this.#showBlock(block)) return;
    }
  }

  end(answer: Message, topicId: string): void {
    if (answer.status === 'stopped') this.#out.write(this.#dim('\nStopped.\n'));
    this.#out.write(this.#dim(`\n${terminalText(answer.model ?? '')} · topic ${topicId}\n`));
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

  #line(block: Block): string {
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
        return styleText(
          'red',
          terminalText(`${block.error.message} ${block.error.hint ?? ''}`.trim()),
          { stream: this.#out },
        );
      default:
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
    const head = `${mark} ${terminalText(`${block.serverName} · ${block.toolName} ${args}`)}${this.#dim(time)}`;
    const text = block.error?.message ?? summary(block.result?.content ?? []);
    const lines = terminalText(truncate(text, 400)).split('\n').slice(0, 6);
    return [head, ...lines.map((line) => this.#dim(`  ${line}`))].join('\n');
  }

  #dim(text: string): string {
    return styleText('dim', text, { stream: this.#out });
  }
}

function summary(content: ContentPart[]): string {
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'resource_link') return `${part.title ?? part.name} ${part.uri}`;
      if (part.type === 'resource') return part.resource.text ?? `[${part.resource.uri}]`;
      return `[${part.type}: ${part.mimeType}]`;
    })
    .join('\n');
}
