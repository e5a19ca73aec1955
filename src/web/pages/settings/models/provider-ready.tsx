import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import type { ModelInfo, Provider } from '#shared/vocabulary/model.ts';
import { loadModels, useCatalog } from '../../../state/catalog/catalog.ts';
import { useNewChat } from '../../../state/chat/new-chat.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ProviderModels } from './provider-models.tsx';
import { TestResult } from './test-result.tsx';
import { useProviderTest } from './use-provider-test.ts';

interface ProviderReadyProps {
  provider: Provider;
  /** Back to what was filled in; absent where it cannot be changed. */
  onEdit?: () => void;
  onClose: () => void;
  /** Reads providers and models again. */
  onChanged: () => Promise<void>;
}

/** Tests a provider and leads on to a chat with one of its models; where it fails, back to the form. */
export function ProviderReady(props: ProviderReadyProps): ReactElement {
  const { provider, onEdit, onClose, onChanged } = props;
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const [test, run] = useProviderTest(provider.id, onChanged);
  const begin = useEffectEvent(run);
  useEffect(() => {
    queueMicrotask(() => begin());
  }, []);
  if (test === null || test === 'running')
    return (
      <p role="status" className="text-sm text-muted">
        {t('testing')}
      </p>
    );
  if (test.ok)
    return (
      <UseProvider
        {...props}
        tested={test.model && `${provider.slug}/${test.model}`}
        test={<TestResult test={test} />}
      />
    );
  return (
    <div className="space-y-4">
      <TestResult test={test} />
      <div className="dialog-actions">
        <Button className="mr-auto" onClick={onClose}>
          {common('close')}
        </Button>
        <Button onClick={run}>{t('testAgain')}</Button>
        {onEdit && (
          <Button variant="primary" data-testid="fix-provider" onClick={onEdit}>
            {t('changeProvider')}
          </Button>
        )}
      </div>
    </div>
  );
}

interface UseProviderProps extends ProviderReadyProps {
  /** The model that answered the test. */
  tested: string | undefined;
  test: ReactElement;
}

function UseProvider({ provider, tested, test, onClose, onChanged }: UseProviderProps) {
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const [, navigate] = useLocation();
  const all = useCatalog((state) => state.models);
  const current = useCatalog(({ providers }) => providers?.find(({ id }) => id === provider.id));
  const hasOwnDefault = useCatalog((state) => state.hasOwnDefault);
  const offered = all.filter((model) => model.provider === provider.slug && !model.hidden);
  const [wanted, setWanted] = useState<string>();
  const [asDefault, setAsDefault] = useState(!hasOwnDefault);
  const model = firstOf(offered, wanted, tested);
  const { error, submit } = useSubmit(() => navigate('/'));
  const use = async () => {
    if (model === undefined) return;
    if (asDefault) {
      await api.settings.write({ ...(await api.settings.read()), defaultModel: model });
      await loadModels();
    }
    useNewChat.setState(({ choice }) => ({ choice: { ...choice, model } }));
  };
  return (
    <div className="space-y-4" data-testid="provider-ready">
      {test}
      <Field label={t('modelToUse')}>
        {(ids) => (
          <Select
            {...ids}
            value={model ?? ''}
            options={offered.map(({ id, name }) => [id, name] as const)}
            onChoose={setWanted}
          />
        )}
      </Field>
      <label className="flex items-center gap-2.5 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={asDefault}
          onChange={(event) => setAsDefault(event.target.checked)}
          className="size-4 accent-accent"
        />
        {t('useByDefault')}
      </label>
      {current && (
        <Disclosure summary={t('modelsOf')}>
          {() => <ProviderModels provider={current} onChanged={onChanged} />}
        </Disclosure>
      )}
      {error && <ErrorNote error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{common('close')}</Button>
        <Button
          variant="primary"
          data-testid="back-to-chat"
          autoFocus
          disabled={model === undefined}
          onClick={() => submit(use)}
        >
          {t('backToChat')}
        </Button>
      </div>
    </div>
  );
}

/** The one that was chosen, else the one that answered, else one with tools, else any: as far as it is offered. */
function firstOf(offered: ModelInfo[], ...wanted: (string | undefined)[]): string | undefined {
  const named = wanted.find((id) => offered.some((model) => model.id === id));
  return named ?? (offered.find(({ capabilities }) => capabilities.tools) ?? offered[0])?.id;
}
