import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { keepsSecret } from '#shared/text/secret-address.ts';
import type { Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { AreaField, InputField } from '../../../ui/controls/labelled.tsx';

/** The kind of a vendor that is not known by name. */
export const compatible = 'openai-compatible';

interface ProviderFieldsProps {
  provider: Provider | undefined;
  kind: string;
  vendor: VendorInfo | undefined;
}

/** What is asked of a provider: its key; the rest has good defaults and waits behind a button. */
export function ProviderFields({ provider, kind, vendor }: ProviderFieldsProps): ReactElement {
  const t = useTranslations('settings');
  const isAdmin = useIsAdmin();
  const [more, setMore] = useState(!vendor?.baseUrl || provider !== undefined);
  const id = useId();
  const label = kind === compatible ? t('providerKindOther') : (vendor?.label ?? kind);
  const [address, setAddress] = useState<string>();
  // Without it nothing can be reached, and often nothing else is needed.
  const isAddressFirst = isAdmin && !vendor?.baseUrl;
  const isMoved = address !== undefined && losesKey(provider, address || (vendor?.baseUrl ?? ''));
  return (
    <>
      <p className="flex items-center gap-2.5 text-sm font-medium">
        <Monogram name={label} />
        {label}
      </p>
      {isAddressFirst && (
        <AddressField provider={provider} vendor={vendor} onChange={setAddress} focused />
      )}
      <KeyField provider={provider} vendor={vendor} isMoved={isMoved} focused={!isAddressFirst} />
      {!more && <MoreButton controls={id} onOpen={() => setMore(true)} />}
      {/* Hidden, not absent: what it says by itself is sent too. */}
      <div id={id} hidden={!more} className="space-y-4">
        <NameField provider={provider} usual={vendor?.label ?? kind} />
        {isAdmin && !isAddressFirst && (
          <AddressField provider={provider} vendor={vendor} onChange={setAddress} />
        )}
        <ModelsField provider={provider} />
      </div>
    </>
  );
}

function MoreButton({ controls, onOpen }: { controls: string; onOpen: () => void }) {
  const t = useTranslations('settings');
  return (
    <button
      type="button"
      data-testid="provider-more"
      aria-expanded={false}
      aria-controls={controls}
      onClick={onOpen}
      className="text-sm text-muted underline hover:text-ink"
    >
      {t('providerMore')}
    </button>
  );
}

function losesKey(provider: Provider | undefined, address: string): boolean {
  return provider?.hasKey === true && !keepsSecret('key', provider.baseUrl, address);
}

function ModelsField({ provider }: Pick<ProviderFieldsProps, 'provider'>) {
  const t = useTranslations('settings');
  return (
    <AreaField
      label={t('providerModels')}
      hint={t('providerModelsHint')}
      name="models"
      rows={3}
      spellCheck={false}
      defaultValue={provider?.models.join('\n')}
      className="resize-y font-mono"
    />
  );
}

/** `usual`: what it is called unless somebody calls it something else. */
function NameField({ provider, usual }: { provider: Provider | undefined; usual: string }) {
  const t = useTranslations('settings');
  const free = useFreeName(usual);
  return (
    <InputField
      label={t('providerName')}
      name="name"
      maxLength={100}
      autoComplete="off"
      defaultValue={provider?.name ?? free}
    />
  );
}

/** The usual name of a vendor, or one beside it where that is taken. */
function useFreeName(usual: string): string {
  const providers = useCatalog((state) => state.providers) ?? [];
  const taken = new Set(
    providers.filter((one) => !one.fromEnvironment && !one.fromDiscovery).map(({ name }) => name),
  );
  let name = usual;
  for (let n = 2; taken.has(name); n += 1) name = `${usual} ${n}`;
  return name;
}

type VendorFieldProps = Pick<ProviderFieldsProps, 'provider' | 'vendor'>;

interface AddressFieldProps extends VendorFieldProps {
  onChange: (address: string) => void;
  focused?: boolean;
}

function AddressField(props: AddressFieldProps) {
  const { provider, vendor, onChange, focused = false } = props;
  const t = useTranslations('settings');
  const usual = vendor?.baseUrl;
  return (
    <InputField
      label={t('baseUrl')}
      hint={usual && t('baseUrlHint')}
      name="baseUrl"
      type="url"
      data-testid="provider-address"
      required={!usual}
      autoFocus={focused}
      defaultValue={ownAddress(provider?.baseUrl, vendor)}
      onWrite={(text) => onChange(text.trim())}
      placeholder={usual ?? 'https://api.example.com/v1'}
    />
  );
}

/** An address that is not the vendor's usual one. */
export function ownAddress(
  baseUrl: string | undefined,
  vendor: VendorInfo | undefined,
): string | undefined {
  return baseUrl === vendor?.baseUrl ? undefined : baseUrl;
}

/** `isMoved`: the stored key is for another address, and goes unless it is entered again. */
function KeyField(props: VendorFieldProps & { isMoved: boolean; focused: boolean }) {
  const { provider, vendor, isMoved, focused } = props;
  const t = useTranslations('settings');
  const kept = provider?.hasKey ? t('apiKeyKept') : undefined;
  const hint = vendor?.local ? t('apiKeyLocal') : t('apiKeyTested');
  return (
    <div>
      <InputField
        label={t('apiKey')}
        hint={isMoved ? t('apiKeyMoved') : (kept ?? hint)}
        name="apiKey"
        type="password"
        data-testid="provider-key"
        autoComplete="off"
        autoFocus={focused}
      />
      {vendor?.keysUrl && (
        <a
          href={vendor.keysUrl}
          target="_blank"
          rel="noreferrer"
          className="mt-1.5 inline-block text-xs text-accent-text underline"
        >
          {t('makeKey', { host: new URL(vendor.keysUrl).host })}
        </a>
      )}
    </div>
  );
}
