import { memo, type ReactElement, useContext } from 'react';
import { type Block, isBlockOpen } from '#shared/vocabulary/block.ts';
import { BlockList } from '../../../features/blocks/block-list.tsx';
import { Slot, SlotWatchContext } from '../../../ui/virtual/slot.tsx';
import { estimateBlocks, divideBlocks, groupName, isLong } from '../scroll/block-groups.ts';

/**
 * The blocks of an answer; those of a long one are drawn only where they are near the sight. What waits
 * for a decision is drawn wherever it is: several may be decided at once from below.
 */
export function Blocks({ blocks }: { blocks: Block[] }): ReactElement {
  const watch = useContext(SlotWatchContext);
  if (!watch || !isLong(blocks)) return <BlockList blocks={blocks} />;
  const groups = divideBlocks(blocks);
  return (
    <>
      {groups.map(({ key, blocks: own }, index) => (
        <GroupView
          key={key}
          name={groupName(key)}
          blocks={own}
          always={index === groups.length - 1 || own.some(asks)}
        />
      ))}
    </>
  );
}

function asks(block: Block): boolean {
  return block.type === 'tool' && block.approval !== undefined && isBlockOpen(block);
}

interface GroupProps {
  name: string;
  blocks: Block[];
  always: boolean;
}

const GroupView = memo(
  function GroupView({ name, blocks, always }: GroupProps) {
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
