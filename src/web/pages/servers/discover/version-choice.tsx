import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';

/** The version to install: the latest, or after a press, which asks the registry, any other. */
export function VersionChoice(props: {
  entry: RegistryEntry;
  onChoose: (entry: RegistryEntry) => void;
}): ReactElement {
  const { entry, onChoose } = props;
  const t = useTranslations('discover');
  const [versions, setVersions] = useState<RegistryEntry[]>();
  const { error, busy, submit } = useSubmit();
  const { registry, name } = entry;
  const load = async () => setVersions((await api.registry.versions({ registry, name })).versions);
  if (!versions)
    return (
      <div>
        <Button disabled={busy} onClick={() => submit(load)} data-testid="other-versions">
          {busy ? t('checking') : t('otherVersions')}
        </Button>
        {error && <ErrorNote error={error} />}
      </div>
    );
  const label = ({ version, status }: RegistryEntry) =>
    status === 'deprecated' ? `${version} (${t('deprecated')})` : version;
  return (
    <SelectField
      label={t('version')}
      value={entry.version}
      options={versions.map((each) => [each.version, label(each)])}
      onChoose={(version) => {
        const chosen = versions.find((each) => each.version === version);
        if (chosen) onChoose(chosen);
      }}
      data-testid="version"
    />
  );
}
