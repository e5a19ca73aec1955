import type { ReactElement } from 'react';
import type { CodeBlock } from '#shared/vocabulary/block.ts';
import { CodeBox } from '../markdown/code/code-box.tsx';

/** Code that was run, or what running it printed. */
export function CodeView({ block }: { block: CodeBlock }): ReactElement {
  return <CodeBox code={block.content} language={block.language} />;
}
