import { Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { KeyScope, KeyView } from '#shared/people-api.ts';
import { peopleApi } from '../api/people-api.ts';
import { useLoaded } from '../servers/use-loaded.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDelete } from '../ui/confirm.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Field } from '../ui/field.tsx';
import { formText } from '../ui/form-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Modal } from '../ui/modal.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { OnceShown } from './once-shown.tsx';

/** Somebody's API keys. A new one is shown once. */
export function Keys(): ReactElement {
  const t = useTranslations('people');
  const [round, setRound] = useState(0);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const { value, error } = useLoaded((signal) => peopleApi.keys(signal), String(round));
  const reload = () => setRound((before) => before + 1);
  return (
    <div className="space-y-3">
      {error && <ErrorNote error={error} />}
      {made && <OnceShown label={t('keyMade')} secret={made} onDone={() => setMade(null)} />}
      {value && value.keys.length > 0 && (
        <ul className="card divide-y divide-line">
          {value.keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRemoved={reload} />
          ))}
        </ul>
      )}
      <Button onClick={() => setAdding(true)} data-testid="add-key">
        {t('addKey')}
      </Button>
      {adding && (
        <AddKey
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setMade(key);
            reload();
          }}
        />
      )}
    </div>
  );
}

const scopeText = { read: 'scopeRead', chat: 'scopeChat', admin: 'scopeAdmin' } as const;
const scopes: KeyScope[] = ['read', 'chat', 'admin'];
const day = 24 * 3_600_000;

function KeyRow({ apiKey, onRemoved }: { apiKey: KeyView; onRemoved: () => void }) {
  const t = useTranslations('people');
  const format = useFormatter();
  const [deleting, setDeleting] = useState(false);
  const { id, name, scopes: given, lastUsedAt, expiresAt } = apiKey;
  const date = (time: number) => format.dateTime(time, { dateStyle: 'medium' });
  const facts = [
    ...given.map((scope) => t(scopeText[scope])),
    lastUsedAt === undefined ? t('neverUsed') : t('lastUsed', { time: date(lastUsedAt) }),
    ...(expiresAt === undefined ? [] : [t('runsOut', { time: date(expiresAt) })]),
  ];
  return (
    <li className="flex items-center gap-3 px-4 py-2.5" data-testid="key-row">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-muted">{facts.join(' · ')}</p>
      </div>
      <IconButton label={t('deleteKey', { name })} onClick={() => setDeleting(true)}>
        <Trash2 />
      </IconButton>
      <ConfirmDelete
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteKey', { name })}
        text={t('deleteKeyText')}
        action={async () => {
          await peopleApi.removeKey(id);
          onRemoved();
        }}
      />
    </li>
  );
}

function AddKey({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const { error, submit } = useSubmit(onClose);
  const add = async (form: FormData) => {
    const days = Number(form.get('days'));
    const { key } = await peopleApi.createKey({
      name: formText(form, 'name'),
      scopes: [formText(form, 'scope') as KeyScope],
      ...(days > 0 && { expiresAt: Date.now() + days * day }),
    });
    onMade(key);
  };
  return (
    <Modal open onClose={onClose} title={t('addKey')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          submit(() => add(form));
        }}
      >
        <Field label={t('keyName')} hint={t('keyNameHint')}>
          {(ids) => (
            <input
              {...ids}
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              className="input"
            />
          )}
        </Field>
        <Field label={t('scope')}>
          {(ids) => (
            <select {...ids} name="scope" defaultValue="chat" className="input">
              {scopes.map((scope) => (
                <option key={scope} value={scope}>
                  {t(scopeText[scope])}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('expiry')}>
          {(ids) => (
            <select {...ids} name="days" defaultValue="90" className="input">
              {[30, 90, 365].map((days) => (
                <option key={days} value={days}>
                  {t('days', { days })}
                </option>
              ))}
              <option value="0">{t('never')}</option>
            </select>
          )}
        </Field>
        {error && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" data-testid="save-key">
            {t('makeKey')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
