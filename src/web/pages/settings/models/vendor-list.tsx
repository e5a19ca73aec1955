import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type VendorInfo, vendorGroups } from '#shared/vocabulary/model.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { compatible } from './provider-fields.tsx';

interface VendorListProps {
  vendors: VendorInfo[];
  isAdmin: boolean;
  onChoose: (kind: string) => void;
}

const headings = {
  popular: 'vendorsPopular',
  local: 'vendorsLocal',
  international: 'vendorsInternational',
  europe: 'vendorsEurope',
  china: 'vendorsChina',
  other: 'vendorsOther',
} as const;

/** The vendors that are known, in groups, to search and choose from. */
export function VendorList({ vendors, isAdmin, onChoose }: VendorListProps): ReactElement {
  const t = useTranslations('settings');
  const [query, setQuery] = useState('');
  const words = query.trim().toLowerCase();
  const label = ({ kind, label: name }: VendorInfo) =>
    kind === compatible ? t('providerKindOther') : name;
  // Only an admin may lead the host to an address, or to this machine.
  const usable = isAdmin ? vendors : vendors.filter(({ baseUrl, local }) => baseUrl && !local);
  const matching = usable.filter(
    (vendor) => vendor.kind.includes(words) || label(vendor).toLowerCase().includes(words),
  );
  // Most services that are not listed speak the common protocol.
  const shown = matching.length > 0 ? matching : usable.filter(({ kind }) => kind === compatible);
  const groups = Map.groupBy(shown, ({ group }) => group);
  const section = (group: (typeof vendorGroups)[number]) => {
    const own = groups.get(group);
    return (
      own && (
        <section key={group} aria-labelledby={`vendors-${group}`}>
          <h3
            id={`vendors-${group}`}
            className="mt-4 mb-1.5 text-xs font-medium text-muted first:mt-3"
          >
            {t(headings[group])}
          </h3>
          <ul
            className={`grid grid-cols-1 gap-1.5 ${group === 'other' ? '' : 'min-[24rem]:grid-cols-2'}`}
          >
            {own.map((vendor) => (
              <li key={vendor.kind}>
                <VendorTile label={label(vendor)} onChoose={() => onChoose(vendor.kind)} />
              </li>
            ))}
          </ul>
        </section>
      )
    );
  };
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
      <p role="status" className="sr-only">
        {t('vendorCount', { count: matching.length })}
      </p>
      {shown.length === 0 && <p className="mt-3 text-sm text-muted">{t('vendorsNone')}</p>}
      <div className="-mx-1 mt-1 max-h-[48dvh] overflow-y-auto empty:hidden px-1 pb-1">
        {vendorGroups.filter((group) => group !== 'other').map(section)}
      </div>
      {/* In sight beside a list of seventy. */}
      {section('other')}
    </div>
  );
}

function VendorTile({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex h-full w-full items-center gap-2.5 rounded-lg border border-line px-2.5 py-2 text-left text-sm leading-tight hover:border-line-strong hover:bg-hover pointer-coarse:min-h-12"
    >
      <Monogram name={label} />
      <span className="line-clamp-2 min-w-0">{label}</span>
    </button>
  );
}
