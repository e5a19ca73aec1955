import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Provider } from '#shared/vocabulary/model.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

interface TimeLimitsProps {
  provider: Provider;
  onChanged: () => Promise<void>;
}

const limits = [
  { name: 'silenceSeconds', most: 3600, label: 'silenceLimit', hint: 'silenceLimitHint' },
  { name: 'totalSeconds', most: 86_400, label: 'totalLimit', hint: 'totalLimitHint' },
] as const;

/** How long answers of a provider's models are waited for. */
export function TimeLimits({ provider, onChanged }: TimeLimitsProps): ReactElement {
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const [saved, setSaved] = useState(false);
  const { error, submit } = useSubmit(() => setSaved(true));
  const save = (form: FormData) => {
    setSaved(false);
    submit(async () => {
      await api.settings.updateProvider(provider.id, { times: readTimes(form) });
      await onChanged();
    });
  };
  return (
    <Form onSend={save} className="mt-2 space-y-3 pb-1" data-testid="time-limits">
      <div className="grid gap-3 sm:grid-cols-2">
        {limits.map((limit) => (
          <LimitField key={limit.name} limit={limit} provider={provider} />
        ))}
      </div>
      {error && <ErrorNote error={error} />}
      <div className="flex items-center justify-end gap-3">
        <span role="status" className="text-sm text-ok">
          {saved && t('saved')}
        </span>
        <Button type="submit">{common('save')}</Button>
      </div>
    </Form>
  );
}

interface LimitFieldProps {
  limit: (typeof limits)[number];
  provider: Provider;
}

function LimitField({ limit: { name, most, label, hint }, provider }: LimitFieldProps) {
  const t = useTranslations('settings');
  return (
    <InputField
      label={t(label)}
      hint={t(hint)}
      name={name}
      type="number"
      inputMode="numeric"
      min={1}
      max={most}
      step={1}
      defaultValue={provider.times[name]}
      placeholder={name === 'silenceSeconds' ? '600' : ''}
    />
  );
}

/** What is left empty is what it is for all providers. */
function readTimes(form: FormData) {
  const seconds = (name: string) => (form.get(name) === '' ? null : Number(form.get(name)));
  return { silenceSeconds: seconds('silenceSeconds'), totalSeconds: seconds('totalSeconds') };
}
