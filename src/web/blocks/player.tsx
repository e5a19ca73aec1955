import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { MediumKind } from './media-source.ts';
import { Picture } from './picture.tsx';

interface PlayerProps {
  kind: Exclude<MediumKind, 'pdf'>;
  source: string;
  name?: string;
}

/** A picture, or sound and film with their controls; nothing plays by itself. */
export function Player({ kind, source, name }: PlayerProps): ReactElement {
  const t = useTranslations('block');
  const label = name ?? t(kind);
  switch (kind) {
    case 'image':
      return <Picture source={source} name={label} />;
    case 'audio':
      return (
        // The host gives no captions for what tools produce.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          controls
          preload="metadata"
          aria-label={label}
          src={source}
          className="h-10 w-full max-w-md"
        />
      );
    case 'video':
      return (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          controls
          preload="metadata"
          aria-label={label}
          src={source}
          className="aspect-video max-h-[28rem] w-full max-w-2xl rounded-xl border border-line bg-sunken"
        />
      );
  }
}
