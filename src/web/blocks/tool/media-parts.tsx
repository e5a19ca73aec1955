import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isPicture } from '../../markdown/safe-text.ts';
import { FileView } from '../file-view.tsx';
import { dataUrl } from '../media-source.ts';

interface PartProps {
  data: string;
  mimeType?: string;
}

/** A picture of a result; anything a browser should not show as one is offered as a file. */
export function PicturePart({ data, mimeType }: PartProps): ReactElement {
  const t = useTranslations('block');
  if (isPicture(mimeType)) {
    return (
      <img
        src={dataUrl(data, mimeType)}
        alt={t('image')}
        className="max-h-80 max-w-full rounded-lg border border-line"
      />
    );
  }
  return <FileView block={asFile(data, mimeType)} />;
}

/** Sound of a result, with controls. */
export function AudioPart({ data, mimeType }: PartProps): ReactElement {
  const t = useTranslations('tool');
  if (!mimeType?.startsWith('audio/')) return <FileView block={asFile(data, mimeType)} />;
  return (
    // The host gives no captions for what tools produce.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio
      controls
      preload="metadata"
      aria-label={t('audio')}
      src={dataUrl(data, mimeType)}
      className="h-10 w-full max-w-md"
    />
  );
}

function asFile(data: string, mimeType: string | undefined) {
  return { data, mimeType, size: Math.floor((data.length * 3) / 4) };
}
