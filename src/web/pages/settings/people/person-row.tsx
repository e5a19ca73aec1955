import { Menu } from '@base-ui/react/menu';
import { Ban, Ellipsis, KeyRound, Pencil, ShieldCheck, Trash2, UserCheck } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { UserChange } from '#client/api/people.ts';
import type { KeyView, UserView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { loadMe } from '../../../state/session/me.ts';
import { useSession } from '../../../state/session/session.ts';
import { MenuAction } from '../../../ui/controls/menu-action.tsx';
import { MenuPopup } from '../../../ui/controls/menu-popup.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { RenamePerson } from './rename-person.tsx';

interface PersonRowProps {
  user: UserView;
  onChanged: () => void;
  /** Gets the keys that outlive a change of their rights. */
  onKeysLeft: (left: { id: string; name: string; keys: KeyView[] }) => void;
  /** Gets a new password, which is shown once. */
  onPassword: (made: { name: string; password: string }) => void;
}

/** One person: what they may, when they were here, and what an admin can do. */
export function PersonRow(props: PersonRowProps): ReactElement {
  const { user, onChanged } = props;
  const myId = useSession(({ me }) => me?.user.id);
  const [deleting, setDeleting] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const { id, name } = user;
  const { change, reset } = useChanges(props);
  return (
    <li className="flex items-center gap-3 px-4 py-2.5" data-testid="person" data-name={name}>
      <PersonFacts user={user} isMe={id === myId} />
      <PersonMenu
        user={user}
        isFixed={id === 'local' || id === myId}
        onRename={() => setRenaming(true)}
        onChange={change}
        onReset={reset}
        onDelete={() => setDeleting(true)}
      />
      {renaming && (
        <RenamePerson
          user={user}
          onClose={() => setRenaming(false)}
          onRenamed={() => {
            onChanged();
            if (id === myId) loadMe().catch(showFailure);
          }}
        />
      )}
      <DeletePerson
        open={deleting}
        user={user}
        onClose={() => setDeleting(false)}
        onDeleted={onChanged}
      />
    </li>
  );
}

interface DeletePersonProps {
  open: boolean;
  user: UserView;
  onClose: () => void;
  onDeleted: () => void;
}

function DeletePerson({ open, user: { id, name }, onClose, onDeleted }: DeletePersonProps) {
  const t = useTranslations('people');
  return (
    <ConfirmDelete
      open={open}
      onClose={onClose}
      title={t('deletePerson', { name })}
      text={t('deletePersonText', { name })}
      action={async () => {
        await api.people.removeUser(id);
        onDeleted();
      }}
    />
  );
}

/** What an admin can change, with what has to be told about it. */
function useChanges({ user: { id, name }, onChanged, onKeysLeft, onPassword }: PersonRowProps) {
  const change = async (body: UserChange) => {
    const { keys } = await api.people.updateUser(id, body);
    onKeysLeft({ id, name, keys });
    onChanged();
  };
  const reset = async () => {
    const password = randomPassword();
    await change({ password });
    onPassword({ name, password });
  };
  return {
    change: (body: UserChange) => void change(body).catch(showFailure),
    reset: () => void reset().catch(showFailure),
  };
}

function PersonFacts({ user, isMe }: { user: UserView; isMe: boolean }) {
  const t = useTranslations('people');
  const format = useFormatter();
  const { name, role, disabled, lastSignInAt } = user;
  const facts = [
    t(role),
    lastSignInAt === undefined
      ? t('neverHere')
      : t('lastHere', { time: format.dateTime(lastSignInAt, { dateStyle: 'medium' }) }),
    ...(user.hasOidc ? [t('byOidc')] : []),
  ];
  return (
    <>
      <div className={`min-w-0 flex-1 ${disabled ? 'text-muted' : ''}`}>
        <p className="truncate text-sm font-medium">
          {name} {isMe && <span className="font-normal text-muted">({t('you')})</span>}
        </p>
        <p className="text-xs text-muted">{facts.join(' · ')}</p>
      </div>
      {disabled && (
        <span className="rounded-md bg-hover px-1.5 py-0.5 text-xs text-muted">
          {t('disabled')}
        </span>
      )}
    </>
  );
}

interface PersonMenuProps {
  user: UserView;
  /** Only the name may change: an admin neither locks out themselves nor the console. */
  isFixed: boolean;
  onRename: () => void;
  onChange: (change: UserChange) => void;
  onReset: () => void;
  onDelete: () => void;
}

function PersonMenu(props: PersonMenuProps) {
  const t = useTranslations('people');
  const { name } = props.user;
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={t('actions', { name })}
        data-testid="person-menu"
        className="icon-button size-9 pointer-coarse:size-11 [&_svg]:size-4"
      >
        <Ellipsis />
      </Menu.Trigger>
      <MenuPopup className="w-56" align="end">
        <MenuAction icon={<Pencil aria-hidden />} onClick={props.onRename} testId="rename-person">
          {t('rename')}
        </MenuAction>
        {!props.isFixed && <FurtherActions {...props} />}
      </MenuPopup>
    </Menu.Root>
  );
}

function FurtherActions(props: PersonMenuProps) {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const { role, disabled } = props.user;
  const other = role === 'admin' ? 'user' : 'admin';
  return (
    <>
      <MenuAction
        icon={<ShieldCheck aria-hidden />}
        onClick={() => props.onChange({ role: other })}
      >
        {t(other === 'admin' ? 'makeAdmin' : 'makeUser')}
      </MenuAction>
      <MenuAction icon={<KeyRound aria-hidden />} onClick={props.onReset} testId="reset-password">
        {t('resetPassword')}
      </MenuAction>
      <MenuAction
        icon={disabled ? <UserCheck aria-hidden /> : <Ban aria-hidden />}
        testId="disable-person"
        onClick={() => props.onChange({ disabled: !disabled })}
      >
        {t(disabled ? 'enable' : 'disable')}
      </MenuAction>
      <MenuAction icon={<Trash2 aria-hidden />} danger onClick={props.onDelete}>
        {common('delete')}
      </MenuAction>
    </>
  );
}

/** Easy to read out, hard to guess: 20 characters of a set of 32. */
function randomPassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(
    crypto.getRandomValues(new Uint8Array(20)),
    (byte) => letters[byte % letters.length],
  ).join('');
}
