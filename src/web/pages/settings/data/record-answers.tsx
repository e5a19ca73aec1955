import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../state/session/api.ts';
import { SwitchField } from '../../../ui/controls/checkbox.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';

/** Whether answers are recorded for a replay; saved at once. */
export function RecordAnswers(): ReactElement {
  const t = useTranslations('data');
  const { value, error } = useLoaded(() => api.settings.read(), '');
  const [chosen, setChosen] = useState<boolean>();
  const choose = async (recordAnswers: boolean) => {
    setChosen(recordAnswers);
    await api.settings.write({ ...(await api.settings.read()), recordAnswers });
  };
  return (
    <>
      {error && <ErrorNote error={error} />}
      <SwitchField
        label={t('recordAnswers')}
        hint={t('recordAnswersHint')}
        data-testid="record-answers"
        disabled={!value}
        checked={chosen ?? value?.recordAnswers ?? false}
        onCheck={(isOn) => {
          choose(isOn).catch((failure: unknown) => {
            setChosen(!isOn);
            showFailure(failure);
          });
        }}
      />
    </>
  );
}
