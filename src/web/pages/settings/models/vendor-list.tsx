import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { VendorInfo } from '#shared/vocabulary/model.ts';
import { compatible } from './provider-fields.tsx';

interface VendorListProps {
  vendors: VendorInfo[];
  onChoose: (kind: string) => void;
}

/** The vendors that are known, to search and choose from. */
export function VendorList({ vendors, onChoose }: VendorListProps): ReactElement {
  const t = useTranslations('settings');
  const [query, setQuery] = useState('');
  const words = query.trim().toLowerCase();
  const label = ({ kind, label: name }: VendorInfo) =>
    kind === compatible ? t('providerKindOther') : name;
  const found = vendors.filter(
    (vendor) => vendor.kind.includes(words) || label(vendor).toLowerCase().includes(words),
  );
  // Whatever is not known speaks the common dialect.
  const shown = found.length > 0 ? found : vendors.filter(({ kind }) => kind === compatible);
  return (
    <div>
      <input
        type="search"
        data-testid="vendor-search"
        aria-label={t('searchVendors')}
        placeholder={t('searchVendors')}
        value={query}
        autoComplete="off"
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key !== 'Enter' || !first || words === '') return;
          event.preventDefault();
          onChoose(first.kind);
        }}
        className="input"
      />
      <p role="status" className="mt-2 text-xs text-muted">
        {found.length === 0 ? t('vendorUnknown') : t('vendorCount', { count: found.length })}
      </p>
      <ul className="mt-2 grid max-h-[50dvh] grid-cols-1 gap-1 overflow-y-auto sm:grid-cols-2">
        {shown.map((vendor) => (
          <li key={vendor.kind}>
            <button
              type="button"
              onClick={() => onChoose(vendor.kind)}
              className="w-full rounded-md px-2.5 py-2 text-left text-sm hover:bg-hover pointer-coarse:py-3"
            >
              {label(vendor)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
