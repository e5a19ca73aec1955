import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { SwitchField } from '../../../ui/controls/checkbox.tsx';
import { AreaField } from '../../../ui/controls/labelled.tsx';
import { LineField } from './line-field.tsx';
import { LogoField } from './logo-field.tsx';
import { PairRows } from './pair-rows.tsx';
import type { ServerForm } from './server-form.ts';

interface MoreFieldsProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
}

/** Fields that few servers need. Open from the start where a secret waits for its value. */
export function MoreFields({ form, onChange }: MoreFieldsProps): ReactElement {
  const t = useTranslations('servers');
  return (
    <Disclosure
      summary={t('more')}
      startsOpen={form.secrets.some(({ stored, value }) => !stored && value === '')}
    >
      {() => (
        <div className="mt-3 space-y-4">
          <RareFields form={form} onChange={onChange} />
        </div>
      )}
    </Disclosure>
  );
}

function RareFields({ form, onChange }: MoreFieldsProps) {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  const given = { form, onChange };
  return (
    <>
      <PairRows
        label={t('secrets')}
        hint={t('secretsHint', { reference: '${secret:NAME}' })}
        separator="="
        testId="secret-rows"
        rows={form.secrets}
        onChange={(secrets) => onChange({ ...form, secrets })}
      />
      <WordFields {...given} />
      {form.longRunning && (
        <LineField
          {...given}
          name="totalTimeout"
          label={t('totalTimeout')}
          extra={{ type: 'number', min: 1, max: 86_400 }}
        />
      )}
      {form.type === 'stdio' && (
        <LineField
          {...given}
          name="registryUrl"
          label={t('registryUrl')}
          hint={t('registryHint')}
          extra={{ type: 'url' }}
        />
      )}
      {isAdmin && <RootFields {...given} />}
    </>
  );
}

/** What people and models read of the server. */
function WordFields({ form, onChange }: MoreFieldsProps) {
  const t = useTranslations('servers');
  const given = { form, onChange };
  return (
    <>
      <LineField
        {...given}
        name="description"
        label={t('description')}
        extra={{ maxLength: 4096, spellCheck: true }}
      />
      <LineField {...given} name="tags" label={t('tags')} hint={t('tagsHint')} />
      <LogoField value={form.logo} onChange={(logo) => onChange({ ...form, logo })} />
    </>
  );
}

/** The folders that the server is offered as roots. */
function RootFields({ form, onChange }: MoreFieldsProps) {
  const t = useTranslations('servers');
  return (
    <>
      <AreaField
        label={t('roots')}
        hint={t('rootsHint')}
        name="roots"
        rows={2}
        spellCheck={false}
        value={form.roots}
        onWrite={(roots) => onChange({ ...form, roots })}
        className="field-sizing-content resize-y font-mono"
      />
      <SwitchField
        label={t('callerRoots')}
        hint={t('callerRootsHint')}
        name="callerRoots"
        checked={form.callerRoots}
        onCheck={(callerRoots) => onChange({ ...form, callerRoots })}
      />
    </>
  );
}
