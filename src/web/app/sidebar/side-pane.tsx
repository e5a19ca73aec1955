import { PanelLeftClose, PanelLeftOpen, Server, Settings, SquarePen } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { InboxBell } from '../../features/inbox/inbox-bell.tsx';
import { setPreference, usePreferences } from '../../state/page/preferences.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar of a wide screen: whole, or folded to a few icons by its button or Ctrl+B. */
export function SidePane(): ReactElement {
  const isFolded = usePreferences(({ sidebar }) => sidebar === 'folded');
  useFoldKey();
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
      size={isFolded ? 'normal' : 'small'}
      aria-keyshortcuts="Control+B Meta+B"
      data-testid="fold-sidebar"
      onClick={toggle}
    >
      {isFolded ? <PanelLeftOpen /> : <PanelLeftClose />}
    </IconButton>
  );
}

/** A focus inside the sidebar stays there, on the button that both states have. */
function toggle(): void {
  const pane = document.querySelector('[data-testid="side-pane"]');
  const wasInside = pane?.contains(document.activeElement) ?? false;
  const { sidebar } = usePreferences.getState();
  flushSync(() => setPreference({ sidebar: sidebar === 'folded' ? 'open' : 'folded' }));
  if (wasInside) pane?.querySelector<HTMLElement>('[data-testid="fold-sidebar"]')?.focus();
}

function useFoldKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey !== event.metaKey && !event.shiftKey && !event.altKey;
      if (!isModified || event.key.toLowerCase() !== 'b' || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
