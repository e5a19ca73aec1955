import type { Links } from 'marked';
import { memo, type ReactElement, useMemo, useState } from 'react';
import { FootnotesContext, useFootnoteIndex } from './footnote-mark.tsx';
import { Footnotes } from './footnotes.tsx';
import { ListView } from './list-view.tsx';
import { readOpenFence } from './parse/fence.ts';
import { lexWhole } from './parse/lexer.ts';
import { mend } from './parse/mend.ts';
import {
  createSplitter,
  groupSize,
  linksAtEnd,
  rawOf,
  type SourceBlock,
  type SplitText,
} from './parse/split.ts';
import { renderBlocks } from './render-blocks.tsx';

interface MarkdownProps {
  text: string;
  /** More text may follow. */
  growing?: boolean;
}

/** Markdown that may still grow: finished blocks are parsed and rendered once. */
export function Markdown({ text, growing = false }: MarkdownProps): ReactElement {
  const [splitter] = useState(createSplitter);
  return <SplitMarkdown split={splitter(text)} growing={growing} />;
}

/** Markdown that is already cut into its blocks. */
export function SplitMarkdown(props: { split: SplitText; growing: boolean }): ReactElement {
  const { split, growing } = props;
  const links = useMemo(() => (growing ? split.links : linksAtEnd(split)), [growing, split]);
  const notes = useFootnoteIndex(split.notes);
  const groups = groupsOf(split);
  const end = growing ? (split.isFenceOpen ? 'code' : 'growing') : 'done';
  return (
    <div className="prose">
      <FootnotesContext value={notes}>
        {groups.map((blocks, index) => (
          // Blocks never move, so their place is their identity.
          <Group
            // oxlint-disable-next-line react/no-array-index-key -- blocks never move
            key={index}
            blocks={blocks}
            links={links}
            end={index === groups.length - 1 ? end : 'done'}
            edges={edgesOf(index, split.notes.length > 0 ? Infinity : groups.length)}
          />
        ))}
        {split.notes.length > 0 && <Footnotes notes={notes} links={links} />}
      </FootnotesContext>
    </div>
  );
}

/** Finished groups as they are; the live blocks take the places that follow. */
function groupsOf({ groups, live }: SplitText): SplitText['groups'] {
  const last = groups.at(-1);
  const isOpen = last !== undefined && last.length < groupSize;
  const rest = isOpen ? [...last, ...live] : live;
  const more: (readonly SourceBlock[])[] = isOpen ? groups.slice(0, -1) : [...groups];
  for (let at = 0; at < rest.length; at += groupSize) more.push(rest.slice(at, at + groupSize));
  return more;
}

/**
 * The classes of the first group and of the last. `:last-child` before another selector would make the
 * browser look at everything again wherever something is added, in all of the page.
 */
function edgesOf(index: number, count: number): string {
  return `${index === 0 ? ' first' : ''}${index === count - 1 ? ' last' : ''}`;
}

/** How the last block of a group ends: as it is, with marks to close, or as code that goes on. */
type End = 'done' | 'growing' | 'code';

interface GroupProps {
  blocks: readonly SourceBlock[];
  links: Links;
  end: End;
  edges: string;
}

/**
 * Many blocks, so that a long text costs no more for each update than a short one. Out of sight, full
 * groups are not laid out, nor is the one that grows.
 */
const Group = memo(function Group({ blocks, links, end, edges }: GroupProps) {
  const isFull = blocks.length === groupSize;
  const kind = end !== 'done' ? ' growing' : isFull ? ' full' : '';
  return (
    <div className={`prose-group${kind}${edges}`}>
      {blocks.map((block, index) => (
        <MarkdownBlock
          // oxlint-disable-next-line react/no-array-index-key -- blocks never move
          key={index}
          block={block}
          links={linksOf(rawOf(block), links)}
          end={index === blocks.length - 1 ? end : 'done'}
        />
      ))}
    </div>
  );
});

const noLinks: Links = {};

/** A block without brackets has no references: it is not drawn again when a definition comes. */
function linksOf(raw: string, links: Links): Links {
  return raw.includes('[') ? links : noLinks;
}

interface BlockProps {
  block: SourceBlock;
  links: Links;
  end: End;
}

const MarkdownBlock = memo(function MarkdownBlock({ block, links, end }: BlockProps) {
  if (typeof block === 'object')
    return <ListView list={block} links={links} growing={end === 'growing'} />;
  const raw = block;
  const code = end === 'code' ? readOpenFence(raw) : undefined;
  if (code) return <>{renderBlocks([code])}</>;
  return <>{renderSafely(end === 'growing' ? mend(raw) : raw, links)}</>;
});

/** What cannot be parsed is still readable. */
function renderSafely(raw: string, links: Links): ReactElement {
  try {
    return renderBlocks(lexWhole(raw, links));
  } catch (error) {
    console.warn('Shown as plain text:', error);
    return <p className="whitespace-pre-wrap">{raw}</p>;
  }
}
