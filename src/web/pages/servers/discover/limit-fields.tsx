import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { CatalogueLimit } from '#shared/api/registry-api.ts';
import { CheckField } from '../../../ui/controls/checkbox.tsx';
import { AreaField } from '../../../ui/controls/labelled.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

interface LimitFieldsProps {
  limit: CatalogueLimit | null;
  registries: readonly { id: string; name: string }[];
  onChange: (limit: CatalogueLimit | null) => void;
}

/** What users who are no admins can add: anything, or all of some registries and single entries. */
export function LimitFields({ limit, registries, onChange }: LimitFieldsProps): ReactElement {
  const t = useTranslations('discover');
  return (
    <fieldset className="space-y-3 border-t border-line pt-4">
      <Check
        label={t('limit')}
        checked={limit !== null}
        onChange={(on) => onChange(on ? { registries: ['picked'], entries: [] } : null)}
        testId="limit"
      />
      <p className="text-xs text-muted">{t('limitHint')}</p>
      {limit && <Allowed {...{ limit, registries, onChange }} />}
    </fieldset>
  );
}

function Allowed({ limit, registries, onChange }: LimitFieldsProps & { limit: CatalogueLimit }) {
  const t = useTranslations('discover');
  return (
    <>
      {registries.map(({ id, name }) => (
        <Check
          key={id}
          label={t('allOf', { name })}
          checked={limit.registries.includes(id)}
          onChange={(on) => {
            const others = limit.registries.filter((one) => one !== id);
            onChange({ ...limit, registries: on ? [...others, id] : others });
          }}
        />
      ))}
      <AreaField
        label={t('limitEntries')}
        hint={t('limitEntriesHint')}
        rows={3}
        className="font-mono text-[0.8125rem]"
        defaultValue={limit.entries.map((one) => `${one.registry} ${one.name}`).join('\n')}
        onWrite={(text) => onChange({ ...limit, entries: readEntries(text) })}
        data-testid="limit-entries"
      />
    </>
  );
}

/** One on each line: the id of its registry and its name. */
function readEntries(text: string): CatalogueLimit['entries'] {
  return text.split('\n').flatMap((line) => {
    const [registry, name] = line.trim().split(/\s+/);
    return registry && name ? [{ registry, name }] : [];
  });
}

function Check(props: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  testId?: string;
}) {
  return (
    <CheckField
      label={
        <span className="min-w-0 break-words">
          <VisibleText text={props.label} />
        </span>
      }
      checked={props.checked}
      onCheck={props.onChange}
      data-testid={props.testId}
      className="min-h-8 pointer-coarse:min-h-11"
    />
  );
}
