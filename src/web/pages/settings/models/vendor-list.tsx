import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type VendorInfo, vendorGroups } from '#shared/vocabulary/model.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { compatible } from './provider-fields.tsx';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

interface VendorListProps {
  vendors: VendorInfo[];
  isAdmin: boolean;
  onChoose: (kind: string) => void;
}

type VendorGroup = (typeof vendorGroups)[number];

const headings = {
  popular: 'vendorsPopular',
  local: 'vendorsLocal',
  international: 'vendorsInternational',
  europe: 'vendorsEurope',
  china: 'vendorsChina',
  other: 'vendorsOther',
} as const;

/** The vendors that are known, in groups, to search and choose from. */
export function VendorList(props: VendorListProps): ReactElement {
  const t = useTranslations('settings');
  const [query, setQuery] = useState('');
  const { shown, count } = useMatching(props, query);
  const groups = Map.groupBy(shown, ({ group }) => group);
  const { onChoose } = props;
  const section = (group: VendorGroup) => (
    <VendorSection {...{ group, onChoose }} key={group} vendors={groups.get(group) ?? []} />
  );
  const chooseFirst = (event: KeyboardEvent) => {
    const [first] = shown;
    if (event.key !== 'Enter' || !first || query.trim() === '') return;
    event.preventDefault();
    onChoose(first.kind);
  };
  return (
    <div>
      <FilterBox
        data-testid="vendor-search"
        label={t('searchVendors')}
        value={query}
        autoComplete="off"
        onWrite={setQuery}
        onKeyDown={chooseFirst}
      />
      <p role="status" className="sr-only">
        {t('vendorCount', { count })}
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

/** Those that fit the words, and how many do; where none does, the way to any other service. */
function useMatching({ vendors, isAdmin }: VendorListProps, query: string) {
  const labelOf = useVendorLabel();
  const words = query.trim().toLowerCase();
  // Only an admin may lead the host to an address, or to this machine.
  const usable = isAdmin ? vendors : vendors.filter(({ baseUrl, local }) => baseUrl && !local);
  const matching = usable.filter(
    (vendor) => vendor.kind.includes(words) || labelOf(vendor).toLowerCase().includes(words),
  );
  // Most services that are not listed speak the common protocol.
  const others = usable.filter(({ kind }) => kind === compatible);
  return { shown: matching.length > 0 ? matching : others, count: matching.length };
}

function useVendorLabel(): (vendor: VendorInfo) => string {
  const t = useTranslations('settings');
  return ({ kind, label }) => (kind === compatible ? t('providerKindOther') : label);
}

interface VendorSectionProps extends Pick<VendorListProps, 'vendors' | 'onChoose'> {
  group: VendorGroup;
}

function VendorSection({ group, vendors, onChoose }: VendorSectionProps) {
  const t = useTranslations('settings');
  const labelOf = useVendorLabel();
  if (vendors.length === 0) return null;
  return (
    <section aria-labelledby={`vendors-${group}`}>
      <h3 id={`vendors-${group}`} className="mt-4 mb-1.5 text-xs font-medium text-muted first:mt-3">
        {t(headings[group])}
      </h3>
      <ul
        className={`grid grid-cols-1 gap-1.5 ${group === 'other' ? '' : 'min-[24rem]:grid-cols-2'}`}
      >
        {vendors.map((vendor) => (
          <li key={vendor.kind}>
            <VendorTile label={labelOf(vendor)} onChoose={() => onChoose(vendor.kind)} />
          </li>
        ))}
      </ul>
    </section>
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
