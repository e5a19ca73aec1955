import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { KeyView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { useLimits } from '../../../state/session/limits.ts';
import { loadMe } from '../../../state/session/me.ts';
import { useSession } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { TitledPart } from '../../../ui/layout/titled-part.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { RemainingKeys } from './remaining-keys.tsx';
import { Keys } from './keys.tsx';
import { Programs } from './programs.tsx';
import { SignIns } from './sign-ins.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

/** What is about oneself: the password, the browsers one is signed in with, keys, and connected programs. */
export function Account(): ReactElement {
  const t = useTranslations('people');
  const name = useSession(({ me }) => me?.user.name ?? '…');
  const [left, setLeft] = useState<KeyView[]>([]);
  const [round, setRound] = useState(0);
  return (
    <div className="space-y-10">
      <TitledPart title={t('password')} hint={t('passwordHint', { name })}>
        <PasswordForm onKeysLeft={setLeft} />
        {left.length > 0 && (
          <div className="mt-4">
            <RemainingKeys
              keys={left}
              onKeep={() => setLeft([])}
              onEnd={async () => {
                await Promise.all(left.map(({ id }) => api.people.removeKey(id)));
                setLeft([]);
                setRound(round + 1);
              }}
            />
          </div>
        )}
      </TitledPart>
      <TitledPart title={t('signIns')} hint={t('signInsHint')}>
        <SignIns />
      </TitledPart>
      <TitledPart title={t('keys')} hint={t('keysHint')}>
        <Keys key={round} />
      </TitledPart>
      <TitledPart title={t('programs')} hint={t('programsHint')}>
        <Programs />
      </TitledPart>
    </div>
  );
}

/** Sets the password; `round` counts how often it was set while this is shown. */
function useNewPassword(onKeysLeft: (keys: KeyView[]) => void) {
  const asksPassword = useSession(({ me }) => me?.asksPassword);
  const [saved, setSaved] = useState(false);
  const [round, setRound] = useState(0);
  const save = async (form: FormData) => {
    setSaved(false);
    const current = asksPassword ? { current: formText(form, 'current') } : {};
    const password = formText(form, 'password');
    const { keys } = await api.people.setPassword({ ...current, password });
    setSaved(true);
    onKeysLeft(keys);
    setRound(round + 1);
    await loadMe();
  };
  return { save, saved, round };
}

function PasswordForm({ onKeysLeft }: { onKeysLeft: (keys: KeyView[]) => void }) {
  const t = useTranslations('people');
  const me = useSession((state) => state.me);
  const { error, submit } = useSubmit();
  const { save, saved, round } = useNewPassword(onKeysLeft);
  const { shortestPassword } = useLimits();
  return (
    <Form
      key={round}
      className="max-w-sm space-y-4"
      data-testid="password-form"
      onSend={(form) => submit(() => save(form))}
    >
      {me?.asksPassword && (
        <SecretField label={t('currentPassword')} name="current" complete="current-password" />
      )}
      <SecretField
        label={t('newPassword')}
        hint={t('newPasswordHint', { count: shortestPassword })}
        name="password"
        complete="new-password"
        shortest={shortestPassword}
      />
      {error && <ErrorNote error={error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={!me}>
          {t('savePassword')}
        </Button>
        <span role="status" className="text-sm text-ok">
          {saved && t('passwordSaved')}
        </span>
      </div>
    </Form>
  );
}

function SecretField(props: {
  label: string;
  hint?: string;
  name: string;
  complete: string;
  shortest?: number;
}) {
  return (
    <InputField
      label={props.label}
      hint={props.hint}
      name={props.name}
      type="password"
      required
      minLength={props.shortest}
      autoComplete={props.complete}
    />
  );
}
