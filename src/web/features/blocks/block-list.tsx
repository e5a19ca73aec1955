import type { ReactElement } from 'react';
import type { Block } from '#shared/vocabulary/block.ts';
import { BlockView } from './block-view.tsx';
import { groupBlocks, isGroup } from './group-blocks.ts';
import { ToolGroup } from './tool-group.tsx';

/** The blocks of an answer in order, calls that belong together behind one line. */
export function BlockList({ blocks }: { blocks: readonly Block[] }): ReactElement {
  return (
    <>
      {groupBlocks(blocks).map((entry) =>
        isGroup(entry) ? (
          <ToolGroup key={entry.id} group={entry} />
        ) : (
          <BlockView key={entry.id} block={entry} />
        ),
      )}
    </>
  );
}
