import type { ReactElement } from 'react';
import type { Block } from '#shared/vocabulary/block.ts';
import { BlockView } from '../../../features/blocks/block-view.tsx';
import { ThumbnailContext } from '../../../features/media/picture.tsx';

/** The blocks of a question: its words as they were typed, several images as a grid, and its files. */
export function SentBlocks({ blocks }: { blocks: readonly Block[] }): ReactElement {
  const images = blocks.filter(({ type }) => type === 'image');
  const isGrid = images.length > 1;
  return (
    <>
      {blocks.map((block) => {
        if (block.type === 'main_text') return <SentText key={block.id} block={block} />;
        if (!isGrid || block.type !== 'image') return <BlockView key={block.id} block={block} />;
        return block === images[0] && <Thumbnails key={block.id} images={images} />;
      })}
    </>
  );
}

function Thumbnails({ images }: { images: Block[] }) {
  return (
    <ThumbnailContext value={true}>
      <div className="flex max-w-full flex-wrap justify-end gap-1.5 sm:max-w-[85%]">
        {images.map((block) => (
          <BlockView key={block.id} block={block} />
        ))}
      </div>
    </ThumbnailContext>
  );
}

function SentText({ block }: { block: Block }) {
  return (
    <div
      data-testid="block"
      data-type={block.type}
      data-status={block.status}
      data-ordinal={block.ordinal}
      data-length={block.content.length}
      className="user-text"
    >
      {block.content}
    </div>
  );
}
