import { Menu } from '@base-ui/react/menu';
import { ChevronsUpDown, Keyboard, LogOut, UserRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { showOverlay } from '../../state/page/overlay.ts';
import { leave } from '../../state/session/me.ts';
import { useSession } from '../../state/session/session.ts';
import { MenuAction } from '../../ui/controls/menu-action.tsx';
import { MenuPopup } from '../../ui/controls/menu-popup.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

/** Who uses this browser, the way to their account, and the way out. */
export function UserMenu({ onLeave }: { onLeave: () => void }): ReactElement {
  const t = useTranslations('people');
  const me = useSession((state) => state.me);
  // Its place is kept, so that nothing moves when the name is there.
  if (!me) return <div className="h-10 pointer-coarse:h-11" />;
  const { name, role } = me.user;
  return (
    <Menu.Root>
      <Menu.Trigger
        data-testid="user-menu"
        title={t('menu', { name })}
        className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-2 text-left text-sm transition-colors hover:bg-hover data-[popup-open]:bg-hover pointer-coarse:min-h-11"
      >
        <Initial name={name} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {role === 'admin' && <span className="text-xs text-muted">{t('admin')}</span>}
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </Menu.Trigger>
      <MenuPopup className="w-56" side="top">
        <Actions onLeave={onLeave} />
      </MenuPopup>
    </Menu.Root>
  );
}

function Actions({ onLeave }: { onLeave: () => void }) {
  const t = useTranslations('people');
  const keys = useTranslations('shortcuts');
  const [, navigate] = useLocation();
  const openAccount = () => {
    onLeave();
    navigate('/settings/account');
  };
  const openHelp = () => {
    onLeave();
    showOverlay('help');
  };
  return (
    <>
      <MenuAction icon={<UserRound aria-hidden />} onClick={openAccount}>
        {t('account')}
      </MenuAction>
      <MenuAction icon={<Keyboard aria-hidden />} testId="keyboard-shortcuts" onClick={openHelp}>
        {keys('title')}
      </MenuAction>
      <MenuAction
        icon={<LogOut aria-hidden />}
        testId="sign-out"
        onClick={() => void leave().catch(showFailure)}
      >
        {t('signOut')}
      </MenuAction>
    </>
  );
}

/** Whatever a reader takes for the first letter of a name. */
function Initial({ name }: { name: string }) {
  const [first] = new Intl.Segmenter().segment(name);
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-content-center rounded-full bg-accent-soft text-xs font-medium text-accent-text uppercase"
    >
      {first?.segment}
    </span>
  );
}
