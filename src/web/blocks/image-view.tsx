import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { MediaBlock } from '#shared/block.ts';
import { isPicture } from '../markdown/safe-text.ts';
import { FileView } from './file-view.tsx';
import { mediaSource } from './media-source.ts';

/** A picture of the answer; what a browser should not show as one is offered as a file. */
export function ImageView({ block }: { block: MediaBlock }): ReactElement {
  const t = useTranslations('block');
  const source = mediaSource(block);
  if (source === null || (block.data !== undefined && !isPicture(block.mimeType))) {
    return <FileView block={block} />;
  }
  return (
    <img
      src={source}
      alt={block.name ?? t('image')}
      className="max-h-[28rem] max-w-full rounded-xl border border-line"
    />
  );
}
