import { memo, type ReactElement, useContext } from 'react';
import { type Block, isBlockOpen } from '#shared/vocabulary/block.ts';
import { BlockList } from '../../../features/blocks/block-list.tsx';
import { Slot, SlotWatchContext } from '../../../ui/virtual/slot.tsx';
import { estimateBlocks, divideBlocks, stretchName, isLong } from '../scroll/stretches.ts';

/**
 * The blocks of an answer; those of a long one are drawn only where they are near the sight. What waits
 * for a decision is drawn wherever it is: several may be decided at once from below.
 */
export function Blocks({ blocks }: { blocks: Block[] }): ReactElement {
  const watch = useContext(SlotWatchContext);
  if (!watch || !isLong(blocks)) return <BlockList blocks={blocks} />;
  const stretches = divideBlocks(blocks);
  return (
    <>
      {stretches.map(({ key, blocks: own }, index) => (
        <StretchView
          key={key}
          name={stretchName(key)}
          blocks={own}
          always={index === stretches.length - 1 || own.some(asks)}
        />
      ))}
    </>
  );
}

function asks(block: Block): boolean {
  return block.type === 'tool' && block.approval !== undefined && isBlockOpen(block);
}

interface StretchProps {
  name: string;
  blocks: Block[];
  always: boolean;
}

const StretchView = memo(
  function StretchView({ name, blocks, always }: StretchProps) {
    return (
      <Slot name={name} always={always} estimate={estimateBlocks(blocks)} className="space-y-4">
        <BlockList blocks={blocks} />
      </Slot>
    );
  },
  (a, b) => a.always === b.always && isSame(a.blocks, b.blocks),
);

function isSame(a: Block[], b: Block[]): boolean {
  return a.length === b.length && a.every((block, index) => block === b[index]);
}
