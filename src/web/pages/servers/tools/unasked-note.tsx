import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { Unasked } from '#shared/vocabulary/policy-api.ts';
import { RuleLine } from '../../../features/policy/rule-line.tsx';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** What a server may do without asking, whoever set that: always shown with its details. */
export function UnaskedNote(props: { server: ServerView; policyVersion: string }): ReactElement {
  const { server, policyVersion } = props;
  const common = useTranslations('common');
  const key = `${server.id} ${policyVersion} ${JSON.stringify(server.config)}`;
  const { value, error } = useLoaded((signal) => api.servers.read(server.id, signal), key);
  if (error) return <ErrorNote error={error} />;
  return (
    <section className="mb-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm" data-testid="unasked">
      {value?.unasked ? (
        <UnaskedList unasked={value.unasked} />
      ) : (
        <p className="text-muted">{common('loading')}</p>
      )}
    </section>
  );
}

/** Rules beyond these are counted until somebody wants to see them. */
const fewRules = 3;

function UnaskedList({ unasked }: { unasked: Unasked }) {
  const t = useTranslations('servers');
  const [all, setAll] = useState(false);
  const { autoApprove, trusted, safeToRepeat, rules } = unasked;
  const isNothing =
    !trusted && [autoApprove, safeToRepeat, rules].every((list) => list.length === 0);
  if (isNothing) return <p className="text-muted">{t('unaskedNothing')}</p>;
  const shown = all ? rules : rules.slice(0, fewRules);
  return (
    <>
      <p className="font-medium">{t('unasked')}</p>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {autoApprove.includes('*') && <li className="text-danger">{t('unaskedAll')}</li>}
        {trusted && <li>{t('unaskedTrusted')}</li>}
        <NamedTools
          label={t('unaskedTools')}
          tools={autoApprove.includes('*') ? [] : autoApprove}
        />
        <NamedTools label={t('unaskedRepeat')} tools={safeToRepeat} />
        {shown.map((rule, at) => (
          <li key={rule.id ?? at}>
            <RuleLine rule={rule} />
          </li>
        ))}
      </ul>
      {shown.length < rules.length && (
        <button type="button" className="mt-1 underline" onClick={() => setAll(true)}>
          {t('unaskedMore', { count: rules.length - shown.length })}
        </button>
      )}
    </>
  );
}

function NamedTools({ label, tools }: { label: string; tools: string[] }) {
  if (tools.length === 0) return null;
  return (
    <li className="break-words">
      {label}{' '}
      <span className="font-mono text-[0.8125rem]">
        <VisibleText text={tools.join(', ')} />
      </span>
    </li>
  );
}
