import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Settings } from '#shared/api/api.ts';
import { readLines } from '../../features/form/read-lines.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { WebSearchSettings } from './web-search.tsx';
import { Form } from '../../ui/controls/form.tsx';

/** Settings that the host keeps for everyone; an admin's to change. */
export function HostSettings(): ReactElement {
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const { settings, setSettings, save, saved, dropped } = useSettings();
  return (
    <Form className="space-y-4" onSend={() => save().catch(showFailure)}>
      <Field label={t('fetch')} hint={t('fetchHint')}>
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            spellCheck={false}
            disabled={!settings}
            value={settings?.fetchAllow.join('\n') ?? ''}
            onChange={(event) => setSettings({ fetchAllow: event.target.value.split('\n') })}
            className="input resize-y font-mono"
          />
        )}
      </Field>
      <WebSearchSettings
        value={settings?.webSearch}
        onChange={(webSearch) => setSettings({ webSearch })}
      />
      <RequireSandbox
        settings={settings}
        onChange={(requireSandbox) => setSettings({ requireSandbox })}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={!settings}>
          {common('save')}
        </Button>
        <span role="status" className="text-sm text-ok">
          {saved && t('saved')}
        </span>
        {saved && dropped && (
          <span role="status" className="text-sm text-warn">
            {t('searchKeyDropped')}
          </span>
        )}
      </div>
    </Form>
  );
}

function RequireSandbox(props: {
  settings: Settings | null;
  onChange: (isRequired: boolean) => void;
}) {
  const t = useTranslations('access');
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        role="switch"
        data-testid="require-sandbox"
        disabled={!props.settings}
        checked={props.settings?.requireSandbox ?? false}
        onChange={(event) => props.onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="font-medium">{t('require')}</span>
        <span className="block text-xs text-muted">{t('requireHint')}</span>
      </span>
    </label>
  );
}

function useSettings() {
  const [held, setHeld] = useState<Settings | null>(null);
  const [changed, setChanged] = useState<Partial<Settings>>({});
  const [saved, setSaved] = useState(false);
  const [dropped, setDropped] = useState(false);
  useEffect(() => {
    api.settings.read().then(setHeld, showFailure);
  }, []);
  const setSettings = (patch: Partial<Settings>) => {
    setSaved(false);
    setChanged({ ...changed, ...patch });
  };
  const save = async () => {
    // Over what holds by now: whatever was not touched here was perhaps set elsewhere meanwhile.
    const next = { ...(await api.settings.read()), ...changed };
    const fetchAllow = readLines(next.fetchAllow.join('\n'));
    const { secretsDropped, ...held } = await api.settings.write({ ...next, fetchAllow });
    setHeld(held);
    setDropped(secretsDropped !== undefined);
    setChanged((now) => (now === changed ? {} : now));
    setSaved(true);
  };
  return { settings: held && { ...held, ...changed }, setSettings, save, saved, dropped };
}
