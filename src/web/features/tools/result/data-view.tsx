import { type ReactElement, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Json } from '#shared/vocabulary/json.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { ClippedText } from '../../../ui/text/clipped-text.tsx';
import { JsonTree } from './json-tree.tsx';
import { RecordTable } from './record-table.tsx';
import { isShallow, recordsOf } from './result-kind.ts';

interface DataProps {
  value: unknown;
  /** Behind a line that opens, because a text says the same. */
  folded?: boolean;
}

/** Structured data: a list of records as a table, anything else as a tree. */
export function DataView({ value, folded = false }: DataProps): ReactElement {
  const t = useTranslations('tool');
  if (folded)
    return <Disclosure summary={t('structured')}>{() => <Data value={value} />}</Disclosure>;
  return <Data value={value} />;
}

function Data({ value }: { value: unknown }) {
  const t = useTranslations('tool');
  const records = useMemo(() => recordsOf(value), [value]);
  const shallow = useMemo(() => isShallow(value), [value]);
  if (!shallow) return <p className="text-sm text-muted">{t('tooDeep')}</p>;
  if (records) return <RecordTable records={records} />;
  const isTree = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isTree) return <ClippedText text={JSON.stringify(value)} />;
  return <JsonTree value={value as Json} label={t('structured')} />;
}
