import { Dialog } from '@base-ui/react/dialog';
import { Download, X } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';

interface PictureProps {
  source: string;
  name: string;
}

interface Size {
  width: number;
  height: number;
}

const mostHeight = 320;
const mostRemembered = 500;
/** The sizes of pictures that were shown: their place is kept when they are shown again. */
const sizes = new Map<string, Size>();

/** A picture that takes its place before it is loaded, is loaded when it comes near, opens large. */
export function Picture({ source, name }: PictureProps): ReactElement {
  const t = useTranslations('block');
  const [size, setSize] = useState(sizes.get(source));
  const [failed, setFailed] = useState(false);
  const [large, setLarge] = useState(false);
  if (failed) return <p className="text-sm text-muted">{t('notLoaded')}</p>;
  return (
    <>
      <button
        type="button"
        title={t('enlarge')}
        onClick={() => setLarge(true)}
        className="block max-w-full cursor-zoom-in rounded-lg"
      >
        <img
          src={source}
          alt={name}
          loading="lazy"
          decoding="async"
          onLoad={({ currentTarget }) => setSize(remember(source, currentTarget))}
          onError={() => setFailed(true)}
          style={size && placeOf(size)}
          className={`max-w-full rounded-lg border border-line ${size ? 'h-auto' : 'min-h-40 min-w-40 bg-sunken'}`}
        />
      </button>
      <LargePicture source={source} name={name} open={large} onClose={() => setLarge(false)} />
    </>
  );
}

/** A picture over the whole page, with a way to save it. */
export function LargePicture(
  props: PictureProps & { open: boolean; onClose: () => void },
): ReactElement {
  const { source, name, open, onClose } = props;
  const t = useTranslations('block');
  const common = useTranslations('common');
  const look = 'icon-button size-9 bg-raised shadow-float [&_svg]:size-[1.125rem]';
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/75" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-50 -translate-x-1/2 -translate-y-1/2 outline-none">
          <Dialog.Title className="sr-only">{name}</Dialog.Title>
          <img
            src={source}
            alt={name}
            className="max-h-[94dvh] max-w-[96vw] rounded-lg bg-raised object-contain"
          />
          <div className="absolute top-2 right-2 flex gap-2">
            <a href={source} download={name} aria-label={t('download', { name })} className={look}>
              <Download />
            </a>
            <Dialog.Close aria-label={common('close')} className={look}>
              <X />
            </Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
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
  const scale = height > mostHeight ? mostHeight / height : 1;
  return { width: Math.round(width * scale), aspectRatio: `${width} / ${height}` };
}
