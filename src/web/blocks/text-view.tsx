import type { ReactElement } from 'react';
import { isBlockOpen, type TextBlock } from '#shared/block.ts';
import { Markdown } from '../markdown/markdown.tsx';

/** The answer's own words. */
export function TextView({ block }: { block: TextBlock }): ReactElement {
  return (
    <div className={block.status === 'interrupted' ? 'opacity-60' : undefined}>
      <Markdown text={block.content} growing={isBlockOpen(block)} />
    </div>
  );
}
