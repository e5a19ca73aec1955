import { Dialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';

/** A picture that can be looked at large. */
export interface LargePicture {
  source: string;
  name: string;
}

interface LightboxProps {
  pictures: LargePicture[];
  start: number;
  onClose: () => void;
}

const zooms = [1, 1.5, 2, 3, 4];

/** Pictures over the whole page, one at a time: zoom, next and previous, by button and by key. */
export function Lightbox({ pictures, start, onClose }: LightboxProps): ReactElement | null {
  const [index, setIndex] = useState(start);
  const [zoom, setZoom] = useState(0);
  const picture = pictures[index];
  if (!picture) return null;
  const show = (next: number) => {
    if (!pictures[next]) return;
    setIndex(next);
    setZoom(0);
  };
  const toggle = () => setZoom(zoom === 0 ? 2 : 0);
  const scale = (step: number) => setZoom(Math.min(zooms.length - 1, Math.max(0, zoom + step)));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => show(index - 1),
    ArrowRight: () => show(index + 1),
    '+': () => scale(1),
    '=': () => scale(1),
    '-': () => scale(-1),
    '0': () => setZoom(0),
  };
  return (
    <Dialog.Root open onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black" />
        <Dialog.Popup
          data-testid="lightbox"
          onKeyDown={(event) => onKey(event, keys, zoom > 0)}
          className="fixed inset-0 z-50 flex flex-col outline-none"
        >
          <Bar picture={picture} index={index} count={pictures.length} zoom={zoom} onZoom={scale} />
          <Stage key={picture.source} picture={picture} zoom={zoom} onZoom={toggle} />
          {pictures.length > 1 && <Steps index={index} count={pictures.length} onShow={show} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** At a larger size the arrows scroll. */
function onKey(event: KeyboardEvent, keys: Record<string, () => void>, isLarge: boolean): void {
  const act = keys[event.key];
  if (!act || (isLarge && event.key.startsWith('Arrow'))) return;
  event.preventDefault();
  act();
}

const button =
  'grid size-11 shrink-0 place-items-center rounded-full text-white/85 hover:bg-white/15 hover:text-white disabled:opacity-30 [&_svg]:size-5 focus-visible:outline-white';

interface RoundButtonProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function RoundButton({ label, children, ...rest }: RoundButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={button} {...rest}>
      {children}
    </button>
  );
}

function Bar(props: {
  picture: LargePicture;
  index: number;
  count: number;
  zoom: number;
  onZoom: (step: number) => void;
}) {
  const { picture, index, count, zoom, onZoom } = props;
  const t = useTranslations('block');
  const common = useTranslations('common');
  return (
    <div className="flex items-center gap-1 px-2 pt-[max(0.25rem,env(safe-area-inset-top))] text-sm text-white">
      <Dialog.Title className="mr-auto min-w-0 truncate px-2 font-normal">
        {picture.name}
      </Dialog.Title>
      {count > 1 && (
        <span role="status" className="shrink-0 px-2 text-white/75 tabular-nums">
          {t('place', { index: index + 1, count })}
        </span>
      )}
      <ZoomButtons zoom={zoom} onZoom={onZoom} />
      <DownloadLink picture={picture} />
      <Dialog.Close aria-label={common('close')} title={common('close')} className={button}>
        <X />
      </Dialog.Close>
    </div>
  );
}

function DownloadLink({ picture }: { picture: LargePicture }) {
  const t = useTranslations('block');
  const label = t('download', { name: picture.name });
  return (
    <a
      href={picture.source}
      download={picture.name}
      aria-label={label}
      title={label}
      className={button}
    >
      <Download />
    </a>
  );
}

function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (step: number) => void }) {
  const t = useTranslations('block');
  return (
    <>
      <RoundButton label={t('zoomOut')} disabled={zoom === 0} onClick={() => onZoom(-1)}>
        <ZoomOut />
      </RoundButton>
      <RoundButton
        label={t('zoomIn')}
        disabled={zoom === zooms.length - 1}
        onClick={() => onZoom(1)}
      >
        <ZoomIn />
      </RoundButton>
    </>
  );
}

/** At its size the picture fits, and a small one is at most doubled; larger it scrolls, also by finger. */
function Stage(props: { picture: LargePicture; zoom: number; onZoom: () => void }) {
  const { picture, zoom, onZoom } = props;
  const t = useTranslations('block');
  const [size, setSize] = useState<{ width: number; height: number }>();
  const large = zooms[zoom] ?? 1;
  return (
    <div
      className="min-h-0 flex-1 overflow-auto overscroll-contain [container-type:size]"
      data-zoom={large}
    >
      <div className="grid min-h-full w-max min-w-full place-items-center">
        <button
          type="button"
          title={zoom === 0 ? t('zoomIn') : t('zoomOut')}
          onClick={onZoom}
          className={zoom === 0 ? 'cursor-zoom-in' : 'cursor-zoom-out'}
        >
          <img
            src={picture.source}
            alt={picture.name}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
            style={size ? placeOf(size, large) : undefined}
            className={size ? 'max-w-none' : 'max-h-[90cqh] max-w-[96cqw]'}
          />
        </button>
      </div>
    </div>
  );
}

function placeOf({ width, height }: { width: number; height: number }, zoom: number) {
  const fit = `min(${2 * width}px, 96cqw, ${(96 * width) / height}cqh)`;
  return { width: `calc(${fit} * ${zoom})`, aspectRatio: `${width} / ${height}` };
}

function Steps(props: { index: number; count: number; onShow: (index: number) => void }) {
  const { index, count, onShow } = props;
  const t = useTranslations('block');
  return (
    <div className="flex justify-center gap-6 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <RoundButton
        label={t('previousPicture')}
        disabled={index === 0}
        onClick={() => onShow(index - 1)}
      >
        <ChevronLeft />
      </RoundButton>
      <RoundButton
        label={t('nextPicture')}
        disabled={index === count - 1}
        onClick={() => onShow(index + 1)}
      >
        <ChevronRight />
      </RoundButton>
    </div>
  );
}
