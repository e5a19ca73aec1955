import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Provider } from '#shared/vocabulary/model.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';

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
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const seconds = (name: string) => (form.get(name) === '' ? null : Number(form.get(name)));
    setSaved(false);
    submit(async () => {
      await api.settings.updateProvider(provider.id, {
        times: {
          silenceSeconds: seconds('silenceSeconds'),
          totalSeconds: seconds('totalSeconds'),
        },
      });
      await onChanged();
    });
  };
  return (
    <form onSubmit={save} className="mt-2 space-y-3 pb-1" data-testid="time-limits">
      <div className="grid gap-3 sm:grid-cols-2">
        {limits.map(({ name, most, label, hint }) => (
          <Field key={name} label={t(label)} hint={t(hint)}>
            {(ids) => (
              <input
                {...ids}
                name={name}
                type="number"
                inputMode="numeric"
                min={1}
                max={most}
                step={1}
                defaultValue={provider.times[name]}
                placeholder={name === 'silenceSeconds' ? '600' : ''}
                className="input"
              />
            )}
          </Field>
        ))}
      </div>
      {error && <ErrorNote error={error} />}
      <div className="flex items-center justify-end gap-3">
        <span role="status" className="text-sm text-ok">
          {saved && t('saved')}
        </span>
        <Button type="submit">{common('save')}</Button>
      </div>
    </form>
  );
}
