import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Json } from '#shared/vocabulary/json.ts';
import { moveInTree } from './move-in-tree.ts';

const firstChildren = 100;
const maxTextChars = 500;
/** Branches with no more children than this begin open, two levels deep. */
const openChildren = 12;

/** Data as a tree that opens and closes, with the arrow keys too. */
export function JsonTree({ value, label }: { value: Json; label: string }): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (moveInTree(event.currentTarget, event.key)) event.preventDefault();
  };
  return (
    <ul
      role="tree"
      aria-label={label}
      data-testid="json-tree"
      onKeyDown={onKeyDown}
      className="max-h-96 overflow-auto overscroll-contain rounded-lg bg-sunken px-2 py-2 font-mono text-[0.8125rem] leading-relaxed"
    >
      {childrenOf(value).map(([name, child], index) => (
        <Node key={name} name={name} value={child} depth={1} isFirst={index === 0} />
      ))}
    </ul>
  );
}

interface NodeProps {
  name: string;
  value: Json;
  depth: number;
  /** The one place of the tree that the tab key stops at, until another is chosen. */
  isFirst?: boolean;
}

function Node({ name, value, depth, isFirst = false }: NodeProps) {
  const children = childrenOf(value);
  const isBranch = children.length > 0;
  const [open, setOpen] = useState(depth < 2 && children.length <= openChildren);
  return (
    <li
      role="treeitem"
      aria-expanded={isBranch ? open : undefined}
      aria-level={depth}
      tabIndex={isFirst ? 0 : -1}
      className="rounded outline-offset-[-2px]"
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keys of the tree do the same */}
      <div
        data-toggle={isBranch || undefined}
        onClick={isBranch ? () => setOpen(!open) : undefined}
        className={`flex items-start gap-1.5 rounded px-1 py-px ${isBranch ? 'cursor-pointer hover:bg-hover' : ''}`}
      >
        <ChevronRight
          aria-hidden
          className={`mt-1 size-3.5 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''} ${isBranch ? '' : 'invisible'}`}
        />
        <span className="shrink-0 text-muted">{name}</span>
        <Leaf value={value} />
      </div>
      {isBranch && open && <Branch entries={children} depth={depth + 1} />}
    </li>
  );
}

function Branch({ entries, depth }: { entries: [string, Json][]; depth: number }) {
  const t = useTranslations('tool');
  const [shown, setShown] = useState(firstChildren);
  const rest = entries.length - shown;
  return (
    <ul role="group" className="ml-3.5 border-l border-line pl-1.5">
      {entries.slice(0, shown).map(([name, child]) => (
        <Node key={name} name={name} value={child} depth={depth} />
      ))}
      {rest > 0 && (
        <li role="none">
          <button
            type="button"
            onClick={() => setShown(shown + 10 * firstChildren)}
            className="rounded-md px-2 py-1 font-sans text-xs font-medium text-accent-text hover:bg-hover"
          >
            {t('moreValues', { count: rest })}
          </button>
        </li>
      )}
    </ul>
  );
}

function Leaf({ value }: { value: Json }) {
  if (Array.isArray(value)) return <span className="text-muted">[{value.length}]</span>;
  if (typeof value === 'object' && value !== null)
    return <span className="text-muted">{`{${Object.keys(value).length}}`}</span>;
  if (typeof value === 'string') {
    const short = value.length > maxTextChars ? `${value.slice(0, maxTextChars)}…` : value;
    return <span className="min-w-0 break-words whitespace-pre-wrap">{short}</span>;
  }
  return <span className="text-accent-text">{String(value)}</span>;
}

function childrenOf(value: Json): [string, Json][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return Object.entries(value);
}
