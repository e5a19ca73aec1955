import { Dialog } from '@base-ui/react/dialog';
import { Menu, SquarePen } from 'lucide-react';
import { type ReactElement, type ReactNode, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { InboxBell, InboxHost } from '../features/inbox/inbox-bell.tsx';
import { lazyPart, Part } from '../features/loading/part.tsx';
import { useConversation } from '../state/chat/conversation.ts';
import { returnsFocus } from '../state/chat/find-place.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { useBack } from '../ui/hooks/use-back.ts';
import { useMedia } from '../ui/hooks/use-media.ts';
import { OfflineBar } from './offline-bar.tsx';
import { Overlays } from './palette/overlays.tsx';
import { PaletteButton } from './sidebar/palette-button.tsx';
import { SidePane } from './sidebar/side-pane.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';

const TabStatus = lazyPart(async () => (await import('./tab-status.tsx')).TabStatus);

/** The frame of every page: the sidebar beside it, or in a drawer on a phone. */
export function Shell({ children }: { children: ReactNode }): ReactElement {
  const wide = useMedia('(min-width: 48rem)');
  const [open, setOpen] = useState(false);
  useBack(useCallback(() => setOpen(false), []));
  return (
    <div className="flex h-dvh">
      {wide && <SidePane />}
      <main tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        {!wide && <TopBar onOpen={() => setOpen(true)} />}
        <OfflineBar />
        {children}
      </main>
      <InboxHost />
      <Part fallback={<></>}>
        <TabStatus />
      </Part>
      <Overlays />
      {!wide && <Drawer open={open} onClose={() => setOpen(false)} />}
    </div>
  );
}

function TopBar({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations('sidebar');
  const title = useConversation(({ conversation }) => conversation?.topic.title);
  return (
    <header className="flex items-center gap-1 border-b border-line px-2 py-1.5">
      <IconButton label={t('open')} onClick={onOpen} data-testid="open-sidebar">
        <Menu />
      </IconButton>
      <span className="min-w-0 flex-1 truncate text-center text-sm font-medium">
        {title ?? 'Cerise'}
      </span>
      <PaletteButton />
      <InboxBell />
      <Link href="/" aria-label={t('newChat')} className="icon-button size-9 [&_svg]:size-4.5">
        <SquarePen aria-hidden />
      </Link>
    </header>
  );
}

function Drawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('sidebar');
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/40 transition-opacity duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Dialog.Popup
          aria-label={t('title')}
          finalFocus={returnsFocus}
          className="fixed inset-y-0 left-0 z-40 w-[min(19rem,85vw)] border-r border-line shadow-float outline-none transition-transform duration-200 data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full"
        >
          <Sidebar onLeave={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
