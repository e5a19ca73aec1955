import { PanelLeftClose, PanelLeftOpen, Server, Settings, SquarePen } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { InboxBell } from '../../features/inbox/inbox-bell.tsx';
import { usePreferences } from '../../state/page/preferences.ts';
import { ariaKeys } from '../../state/page/shortcuts.ts';
import { useShortcut } from '../../state/page/use-shortcut.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { PaletteButton } from './palette-button.tsx';
import { Sidebar } from './sidebar.tsx';
import { toggleSidebar } from './toggle-sidebar.ts';

/** The sidebar of a wide screen: whole, or folded to a few icons by its button or Ctrl+B. */
export function SidePane(): ReactElement {
  const isFolded = usePreferences(({ sidebar }) => sidebar === 'folded');
  useShortcut('sidebar', toggleSidebar);
  return (
    <div
      data-testid="side-pane"
      className={`shrink-0 border-r border-line ${isFolded ? 'w-13' : 'w-68'}`}
    >
      {isFolded ? <Rail /> : <Sidebar onLeave={() => {}} corner={<FoldButton />} />}
    </div>
  );
}

/** What is left of a folded sidebar. */
function Rail() {
  const t = useTranslations('sidebar');
  return (
    <nav aria-label={t('title')} className="flex h-full flex-col items-center gap-1 bg-side py-3">
      <FoldButton />
      <RailLink href="/" label={t('newChat')}>
        <SquarePen aria-hidden />
      </RailLink>
      <PaletteButton />
      <InboxBell />
      <span className="mt-auto" />
      <RailLink href="/servers" label={t('servers')}>
        <Server aria-hidden />
      </RailLink>
      <RailLink href="/settings" label={t('settings')}>
        <Settings aria-hidden />
      </RailLink>
    </nav>
  );
}

function RailLink(props: { href: string; label: string; children: ReactNode }) {
  const { href, label, children } = props;
  return (
    <Link
      href={href}
      aria-label={label}
      title={label}
      className="icon-button size-9 [&_svg]:size-4.5"
    >
      {children}
    </Link>
  );
}

function FoldButton() {
  const t = useTranslations('sidebar');
  const isFolded = usePreferences(({ sidebar }) => sidebar === 'folded');
  return (
    <IconButton
      label={t(isFolded ? 'open' : 'fold')}
      aria-keyshortcuts={ariaKeys('sidebar')}
      data-testid="fold-sidebar"
      onClick={toggleSidebar}
    >
      {isFolded ? <PanelLeftOpen /> : <PanelLeftClose />}
    </IconButton>
  );
}
