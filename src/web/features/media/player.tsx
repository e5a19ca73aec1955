import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { MediumKind } from './media-source.ts';
import { Picture } from './picture.tsx';

interface PlayerProps {
  kind: Exclude<MediumKind, 'pdf'>;
  source: string;
  name?: string | undefined;
  /** It is broken, or of a kind this browser does not know; the reader is told here. */
  onFail?: () => void;
}

/** A picture, or sound and film with their controls; nothing plays by itself. */
export function Player({ kind, source, name, onFail }: PlayerProps): ReactElement {
  const t = useTranslations('block');
  const [failed, setFailed] = useState(false);
  if (failed)
    return <p className="text-sm text-muted">{t(kind === 'image' ? 'notLoaded' : 'notPlayed')}</p>;
  const label = name ?? t(kind);
  const fail = () => {
    setFailed(true);
    onFail?.();
  };
  const media = {
    controls: true,
    preload: 'metadata',
    'aria-label': label,
    src: source,
    onError: fail,
    // It may fail before it is part of the page, and then nobody is told.
    ref: (element: HTMLMediaElement | null) => void (element?.error && fail()),
  };
  switch (kind) {
    case 'image':
      return <Picture source={source} name={label} onFail={fail} />;
    case 'audio':
      return (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what tools make has no captions
        <audio {...media} className="h-10 w-full max-w-md" />
      );
    case 'video':
      return (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what tools make has no captions
        <video
          {...media}
          className="aspect-video max-h-[28rem] w-full max-w-2xl rounded-xl border border-line bg-sunken"
        />
      );
  }
}
