import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Settings } from '#shared/api/api.ts';
import { readLines } from '../../features/form/read-lines.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { WebSearchSettings } from './web-search.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { AreaField } from '../../ui/controls/labelled.tsx';
import { SwitchField } from '../../ui/controls/checkbox.tsx';

/** Settings that the host keeps for everyone; an admin's to change. */
export function HostSettings(): ReactElement {
  const t = useTranslations('settings');
  const { settings, setSettings, save, saved, dropped } = useSettings();
  return (
    <Form className="space-y-4" onSend={() => save().catch(showFailure)}>
      <AreaField
        label={t('fetch')}
        hint={t('fetchHint')}
        rows={3}
        spellCheck={false}
        disabled={!settings}
        value={settings?.fetchAllow.join('\n') ?? ''}
        onWrite={(text) => setSettings({ fetchAllow: text.split('\n') })}
        className="resize-y font-mono"
      />
      <WebSearchSettings
        value={settings?.webSearch}
        onChange={(webSearch) => setSettings({ webSearch })}
      />
      <RequireSandbox
        settings={settings}
        onChange={(requireSandbox) => setSettings({ requireSandbox })}
      />
      <SaveRow canSave={settings !== null} saved={saved} dropped={dropped} />
    </Form>
  );
}

function SaveRow(props: { canSave: boolean; saved: boolean; dropped: boolean }) {
  const { canSave, saved, dropped } = props;
  const t = useTranslations('settings');
  const common = useTranslations('common');
  return (
    <div className="flex items-center gap-3">
      <Button type="submit" variant="primary" disabled={!canSave}>
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
  );
}

function RequireSandbox(props: {
  settings: Settings | null;
  onChange: (isRequired: boolean) => void;
}) {
  const t = useTranslations('access');
  return (
    <SwitchField
      label={t('require')}
      hint={t('requireHint')}
      data-testid="require-sandbox"
      disabled={!props.settings}
      checked={props.settings?.requireSandbox ?? false}
      onCheck={props.onChange}
    />
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
