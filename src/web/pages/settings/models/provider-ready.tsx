import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import type { ProviderTest } from '#client/api/settings.ts';
import type { ModelInfo, Provider } from '#shared/vocabulary/model.ts';
import { loadModels, useCatalog } from '../../../state/catalog/catalog.ts';
import { useNewChat } from '../../../state/chat/new-chat.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ProviderModels } from './provider-models.tsx';
import { TestResult } from './test-result.tsx';
import { useProviderTest } from './use-provider-test.ts';
import { SelectField } from '../../../ui/controls/labelled.tsx';
import { CheckField } from '../../../ui/controls/checkbox.tsx';

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
  const { provider, onClose, onChanged } = props;
  const t = useTranslations('settings');
  const [test, run] = useProviderTest(provider.id, onChanged);
  const fails = test !== null && test !== 'running' && !test.ok;
  return (
    <Modal
      open
      onClose={onClose}
      title={t(fails ? 'providerFails' : 'useProvider', { name: provider.name })}
    >
      <Tried {...props} test={test} run={run} />
    </Modal>
  );
}

interface TriedProps extends ProviderReadyProps {
  test: ProviderTest | 'running' | null;
  run: () => void;
}

function Tried({ test, run, ...props }: TriedProps) {
  const { provider, onEdit, onClose } = props;
  const t = useTranslations('settings');
  const common = useTranslations('common');
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
  const result = <TestResult test={test} />;
  if (test.ok) {
    const tested = test.model && `${provider.slug}/${test.model}`;
    return <UseProvider {...props} tested={tested} test={result} />;
  }
  return (
    <div className="space-y-4">
      {result}
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
  const [, navigate] = useLocation();
  const current = useCatalog(({ providers }) => providers?.find(({ id }) => id === provider.id));
  const { offered, model, choose, asDefault, setAsDefault } = useChoice(provider, tested);
  const { error, submit } = useSubmit(() => navigate('/'));
  return (
    <div className="space-y-4" data-testid="provider-ready">
      {test}
      <SelectField
        label={t('modelToUse')}
        value={model ?? ''}
        options={offered.map(({ id, name }) => [id, name] as const)}
        onChoose={choose}
      />
      <CheckField
        label={t('useByDefault')}
        checked={asDefault}
        onCheck={setAsDefault}
        className="pointer-coarse:min-h-11"
      />
      {current && (
        <Disclosure summary={t('modelsOf')}>
          {() => <ProviderModels provider={current} onChanged={onChanged} />}
        </Disclosure>
      )}
      {error && <ErrorNote error={error} />}
      <UseActions
        canUse={model !== undefined}
        onClose={onClose}
        onUse={() => model !== undefined && submit(() => use(model, asDefault))}
      />
    </div>
  );
}

function UseActions(props: { canUse: boolean; onClose: () => void; onUse: () => void }) {
  const t = useTranslations('settings');
  const common = useTranslations('common');
  return (
    <div className="dialog-actions">
      <Button onClick={props.onClose}>{common('close')}</Button>
      <Button
        variant="primary"
        data-testid="back-to-chat"
        autoFocus
        disabled={!props.canUse}
        onClick={props.onUse}
      >
        {t('backToChat')}
      </Button>
    </div>
  );
}

/** The models to begin with, the one that is chosen, and whether it is to be the default. */
function useChoice(provider: Provider, tested: string | undefined) {
  const all = useCatalog((state) => state.models);
  const hasOwnDefault = useCatalog((state) => state.hasOwnDefault);
  const [wanted, choose] = useState<string>();
  const [asDefault, setAsDefault] = useState(!hasOwnDefault);
  const offered = all.filter((model) => model.provider === provider.slug && !model.hidden);
  return { offered, model: firstOf(offered, wanted, tested), choose, asDefault, setAsDefault };
}

/** For the next chat, and for all others that say nothing else if it is to be the default. */
async function use(model: string, asDefault: boolean): Promise<void> {
  if (asDefault) {
    await api.settings.write({ ...(await api.settings.read()), defaultModel: model });
    await loadModels();
  }
  useNewChat.setState(({ choice }) => ({ choice: { ...choice, model } }));
}

/** The one that was chosen, else the one that answered, else one with tools, else any: as far as it is offered. */
function firstOf(offered: ModelInfo[], ...wanted: (string | undefined)[]): string | undefined {
  const named = wanted.find((id) => offered.some((model) => model.id === id));
  return named ?? (offered.find(({ capabilities }) => capabilities.tools) ?? offered[0])?.id;
}
