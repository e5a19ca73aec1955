import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Settings } from '#shared/api/api.ts';
import { changedFields } from '../../../features/form/changed-fields.ts';
import { efforts, effortText } from '../../../features/models/parameters.tsx';
import { loadModels } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { LatestWish } from '../../../ui/hooks/latest-wish.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { ModelSelect } from './model-select.tsx';
import { SelectField } from '../../../ui/controls/labelled.tsx';

type Own = Pick<Settings, 'defaultModel' | 'titleModel' | 'translationModel' | 'reasoningEffort'>;

/** Which models are used where a conversation does not say, each for its purpose. Kept at once. */
export function DefaultModels(): ReactElement {
  const t = useTranslations('settings');
  const { saved, ...own } = useOwnSettings();
  return (
    <section aria-labelledby="default-models" className="mt-10">
      <h3 id="default-models" className="font-semibold">
        {t('defaultModels')}
      </h3>
      <p className="mt-1 text-sm text-pretty text-muted">
        {t('defaultModelsHint')}{' '}
        <span role="status" className="text-ok">
          {saved && t('saved')}
        </span>
      </p>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <ModelField {...own} field="defaultModel" none={t('lastUsedModel')} />
        <EffortField {...own} />
        <ModelField {...own} field="titleModel" none={t('asConversation')} />
        <ModelField {...own} field="translationModel" none={t('asConversation')} />
      </div>
    </section>
  );
}

interface OwnProps {
  settings: Settings | null;
  change: (own: Own) => void;
}

interface ModelFieldProps extends OwnProps {
  field: 'defaultModel' | 'titleModel' | 'translationModel';
  /** What choosing none means. */
  none: string;
}

function ModelField({ settings, change, field, none }: ModelFieldProps) {
  const t = useTranslations('settings');
  return (
    <Field label={t(field)} hint={t(`${field}Hint`)}>
      {(ids) => (
        <ModelSelect
          {...ids}
          data-testid={field}
          disabled={!settings}
          value={settings?.[field]}
          none={none}
          onChoose={(model) => change({ [field]: model })}
        />
      )}
    </Field>
  );
}

function EffortField(props: OwnProps) {
  const t = useTranslations('settings');
  const composer = useTranslations('composer');
  const options = efforts.map((effort) => [effort, composer(effortText[effort])] as const);
  return (
    <SelectField
      label={composer('effort')}
      hint={t('effortHint')}
      data-testid="reasoningEffort"
      disabled={!props.settings}
      value={props.settings?.reasoningEffort ?? ''}
      options={[['', t('asModel')], ...options]}
      onChoose={(effort) => props.change({ reasoningEffort: effort || undefined })}
    />
  );
}

function useOwnSettings() {
  const [settings, set] = useState<Settings | null>(null);
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    api.settings.read().then(set, showFailure);
  }, []);
  // Written over what holds by then: what belongs to the host is not ours to undo.
  const [wishes] = useState(() => {
    const made = new LatestWish<Own>({}, async (own) => {
      await api.settings.write({ ...(await api.settings.read()), ...own });
      // What is written is nobody's wish any more: another tab may wish otherwise.
      made.wanted = changedFields(own, made.wanted);
    });
    return made;
  });
  const write = async (patch: Own) => {
    await wishes.wish({ ...wishes.wanted, ...patch });
    setSaved(true);
    await loadModels();
  };
  const change = (patch: Own) => {
    if (!settings) return;
    setSaved(false);
    set({ ...settings, ...patch });
    write(patch).catch((error: unknown) => {
      showFailure(error);
      wishes.wanted = {};
      api.settings.read().then(set, showFailure);
    });
  };
  return { settings, change, saved };
}
