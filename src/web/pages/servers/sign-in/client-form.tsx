import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

interface ClientFormProps {
  server: ServerView;
  /** The authorization server lets no client register itself, so a person has to. */
  needed: boolean;
  /** Where the authorization server sends browsers back to: it has to be told when registering. */
  redirectUri?: string | undefined;
  onSaved: () => void;
}

/** The client that was registered by hand; its secret is stored encrypted and never shown again. */
export function ClientForm({ needed, ...props }: ClientFormProps): ReactElement {
  const t = useTranslations('serverSignIn');
  if (needed) return <Fields {...props} />;
  return <Disclosure summary={t('ownClient')}>{() => <Fields {...props} />}</Disclosure>;
}

function Fields({ server, redirectUri, onSaved }: Omit<ClientFormProps, 'needed'>) {
  const t = useTranslations('serverSignIn');
  const { auth } = server.config as { auth?: { clientId?: string } };
  const [clientId, setClientId] = useState(auth?.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const { error, submit } = useSubmit(onSaved);
  const save = async () => {
    const secret = clientSecret === '' ? {} : { clientSecret };
    await api.servers.update(server.id, { auth: { ...auth, clientId, ...secret } });
  };
  return (
    <Form className="mt-2 space-y-4" onSend={() => submit(save)}>
      {redirectUri && <RedirectUri value={redirectUri} />}
      <InputField
        label={t('clientId')}
        hint={t('clientIdHint')}
        name="clientId"
        required
        autoComplete="off"
        spellCheck={false}
        value={clientId}
        onWrite={setClientId}
      />
      <InputField
        label={t('clientSecret')}
        hint={t('clientSecretHint')}
        name="clientSecret"
        type="password"
        autoComplete="off"
        value={clientSecret}
        onWrite={setClientSecret}
      />
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          {t('useClient')}
        </Button>
      </div>
    </Form>
  );
}

function RedirectUri({ value }: { value: string }) {
  const t = useTranslations('serverSignIn');
  return (
    <Field label={t('redirectUri')} hint={t('redirectUriHint')}>
      {(ids) => (
        <div className="flex items-center gap-2">
          <input {...ids} readOnly value={value} className="input font-mono" />
          <CopyButton text={value} />
        </div>
      )}
    </Field>
  );
}
