import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { Decision } from '#shared/vocabulary/policy-api.ts';

/** How long a decision counts. */
export type Scope = Decision['scope'];

interface ScopeChoiceProps {
  value: Scope;
  onChange: (scope: Scope) => void;
  /** The host of the arguments, where they name one; of several calls, where each does. */
  host: string | undefined;
  /** A call outside of any topic has none to remember it for. */
  hasTopic: boolean;
  disabled: boolean;
}

/** One clear choice: only this once, or what is remembered. */
export function ScopeChoice(props: ScopeChoiceProps): ReactElement {
  const t = useTranslations('approval');
  const id = useId();
  const scopes: Scope[] = [
    'once',
    ...(props.hasTopic ? (['topic'] as const) : []),
    'arguments',
    ...(props.host === undefined ? [] : (['host'] as const)),
    'always',
  ];
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {t('scope')}
      </label>
      <select
        id={id}
        data-testid="approval-scope"
        disabled={props.disabled}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value as Scope)}
        className="input min-h-9 w-full py-1.5 sm:w-auto sm:max-w-52"
      >
        {scopes.map((scope) => (
          <option key={scope} value={scope}>
            {t(`scopes.${scope}`, { host: props.host ?? '' })}
          </option>
        ))}
      </select>
    </>
  );
}

/** What a choice means for later, and where it can be taken back. */
export function RememberedScope({ scope }: { scope: Scope }): ReactElement {
  const t = useTranslations('approval');
  return (
    <p aria-live="polite" className="text-xs text-muted">
      {scope !== 'once' && (
        <span className="mt-2 block">
          {t(`meaning.${scope}`)}{' '}
          <Link href="/settings/approvals" className="text-accent-text underline">
            {t('manage')}
          </Link>
        </span>
      )}
    </p>
  );
}
