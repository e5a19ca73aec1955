import type { Links } from 'marked';
import { memo, type ReactElement, useState } from 'react';
import { lexWhole } from './lexer.ts';
import { mend } from './mend.ts';
import { renderBlocks } from './render-blocks.tsx';
import { createSplitter } from './split.ts';

interface MarkdownProps {
  text: string;
  /** More text may follow. */
  growing?: boolean;
}

/** Markdown that may still grow: finished blocks are parsed and rendered once. */
export function Markdown({ text, growing = false }: MarkdownProps): ReactElement {
  const [splitter] = useState(createSplitter);
  const current = splitter(text);
  const blocks = [...current.finished, ...current.live];
  const last = blocks.at(-1);
  const shown = growing && last !== undefined ? [...blocks.slice(0, -1), mend(last)] : blocks;
  return (
    <div className="prose">
      {shown.map((raw, index) => (
        // Blocks never move, so their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <MarkdownBlock key={index} raw={raw} links={current.links} />
      ))}
    </div>
  );
}

const MarkdownBlock = memo(function MarkdownBlock({ raw, links }: { raw: string; links: Links }) {
  return <>{renderSafely(raw, links)}</>;
});

/** What cannot be parsed is still readable. */
function renderSafely(raw: string, links: Links): ReactElement | ReactElement[] {
  try {
    return renderBlocks(lexWhole(raw, links));
  } catch (error) {
    console.warn('Shown as plain text:', error);
    return <p className="whitespace-pre-wrap">{raw}</p>;
  }
}
