import { createContext, type ReactElement, useContext, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart, Part } from '../loading/part.tsx';
import type { LargePicture } from './lightbox.tsx';

const Lightbox = lazyPart(async () => (await import('./lightbox.tsx')).Lightbox);

interface PictureProps {
  source: string;
  name: string;
  onFail: () => void;
}

interface Size {
  width: number;
  height: number;
}

const maxHeightPx = 320;
const mostRemembered = 500;
/** The sizes of pictures that were shown: their place is kept when they are shown again. */
const sizes = new Map<string, Size>();

/** Whether pictures are drawn as small squares that open large, as several sent together are. */
export const ThumbnailContext = createContext(false);

/** A picture that takes its place before it is loaded, is loaded when it comes near, opens large. */
export function Picture({ source, name, onFail }: PictureProps): ReactElement {
  const t = useTranslations('block');
  const isSmall = useContext(ThumbnailContext);
  const [size, setSize] = useState(sizes.get(source));
  const [large, setLarge] = useState<ReturnType<typeof picturesAround>>();
  return (
    <>
      <button
        type="button"
        title={t('enlarge')}
        data-large
        onClick={({ currentTarget }) => setLarge(picturesAround(currentTarget))}
        className="block max-w-full cursor-zoom-in rounded-lg"
      >
        <img
          src={source}
          alt={name}
          loading="lazy"
          decoding="async"
          onLoad={({ currentTarget }) => setSize(remember(source, currentTarget))}
          onError={onFail}
          style={isSmall ? undefined : size && placeOf(size)}
          className={`max-w-full rounded-lg border border-line ${isSmall ? 'size-24 bg-sunken object-cover sm:size-28' : size ? 'h-auto' : 'min-h-40 min-w-40 bg-sunken'}`}
        />
      </button>
      {large && (
        <Part>
          <Lightbox {...large} onClose={() => setLarge(undefined)} />
        </Part>
      )}
    </>
  );
}

/** The pictures of the conversation around one, in the order in which they stand. */
function picturesAround(button: Element): { pictures: LargePicture[]; start: number } {
  const around = button.closest('[role="log"]') ?? button;
  const buttons = [
    ...around.querySelectorAll('[data-large]'),
    ...(around === button ? [button] : []),
  ];
  const pictures = buttons.map((each) => {
    const image = each.querySelector('img');
    return { source: image?.getAttribute('src') ?? '', name: image?.alt ?? '' };
  });
  return { pictures, start: Math.max(0, buttons.indexOf(button)) };
}

/** The oldest is forgotten where there are many; inline pictures need no memory. */
function remember(source: string, image: HTMLImageElement): Size {
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  if (source.startsWith('data:')) return size;
  const [oldest] = sizes.keys();
  if (oldest !== undefined && sizes.size >= mostRemembered) sizes.delete(oldest);
  sizes.set(source, size);
  return size;
}

/** As large as it is, but no higher than fits beside words. */
function placeOf({ width, height }: Size) {
  const scale = height > maxHeightPx ? maxHeightPx / height : 1;
  return { width: Math.round(width * scale), aspectRatio: `${width} / ${height}` };
}
