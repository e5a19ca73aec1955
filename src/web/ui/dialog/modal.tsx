import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { openerMark } from '../focus/question-focus.ts';

interface ModalProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string | undefined;
  /** What others ask in it is read before anything is typed: no field has the focus. */
  isToRead?: boolean;
  /** It shows more than a form does. */
  isWide?: boolean;
  children: ReactNode;
}

const fields =
  'input:not([type="checkbox"], [type="radio"], [type="hidden"], [type="file"]), textarea';

/** A dialog in the middle of the page; a sheet at the bottom of a phone. It opens at its first field. */
export function Modal(props: ModalProps): ReactElement {
  const { open, onClose, title, description, isToRead = false, isWide = false, children } = props;
  const t = useTranslations('common');
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40 transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Dialog.Popup
          ref={popup}
          {...openerMark}
          initialFocus={() =>
            // The keyboard of a phone would cover what it is about.
            isPhone() ? popup.current : isToRead || firstField(popup.current)
          }
          className={`fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] scroll-pb-20 overflow-y-auto rounded-t-2xl border border-line bg-raised p-5 shadow-float outline-none transition-[opacity,translate] duration-150 data-[ending-style]:opacity-0 data-[starting-style]:translate-y-2 data-[starting-style]:opacity-0 sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl ${isWide ? 'sm:w-[min(56rem,calc(100vw-2rem))]' : 'sm:w-[min(34rem,calc(100vw-2rem))]'}`}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
              {description && (
                <Dialog.Description className="mt-1 text-sm text-muted">
                  {description}
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close
              aria-label={t('close')}
              className="icon-button -mt-1 -mr-1 size-8 [&_svg]:size-4"
            >
              <X />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether fingers are all there is to point with; how a dialog was opened is not always known. */
function isPhone(): boolean {
  return !matchMedia('(pointer: fine)').matches;
}

/** The first field that is seen; `true` where there is none. */
function firstField(popup: HTMLElement | null): HTMLElement | true {
  const all = popup?.querySelectorAll<HTMLElement>(fields) ?? [];
  return [...all].find((field) => field.checkVisibility()) ?? true;
}
