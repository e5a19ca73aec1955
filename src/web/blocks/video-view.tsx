import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { MediaBlock } from '#shared/block.ts';
import { FileView } from './file-view.tsx';
import { mediaSource } from './media-source.ts';

/** A film with its controls. */
export function VideoView({ block }: { block: MediaBlock }): ReactElement {
  const t = useTranslations('block');
  const source = mediaSource(block);
  if (source === null) return <FileView block={block} />;
  return (
    // The host gives no captions for what tools produce.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      controls
      preload="metadata"
      aria-label={block.name ?? t('video')}
      src={source}
      className="max-h-[28rem] max-w-full rounded-xl border border-line"
    />
  );
}
