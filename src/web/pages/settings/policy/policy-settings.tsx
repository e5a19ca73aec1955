import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { TitledPart } from '../../../ui/layout/titled-part.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { type PolicyPartProps, PolicyRules } from './policy-rules.tsx';
import { PolicyTester } from './policy-tester.tsx';
import { RememberedDecisions } from './remembered-decisions.tsx';
import { SafeToRepeat, TrustedServers } from './trusted-servers.tsx';
import { UntrustedContent } from './untrusted-content.tsx';
import { usePolicy } from './use-policy.ts';

/** What runs, what asks and what is refused: rules, remembered decisions, trust, and a place to try. */
export function PolicySettings(): ReactElement {
  const t = useTranslations('policy');
  const common = useTranslations('common');
  const { policy, error, busy, change } = usePolicy();
  const isAdmin = useIsAdmin();
  if (!policy)
    return error ? (
      <ErrorNote error={error} />
    ) : (
      <p className="text-sm text-muted">{common('loading')}</p>
    );
  const parts = { policy, error, busy, change };
  return (
    <div className="space-y-10">
      {error && <ErrorNote error={error} />}
      <TitledPart title={t('rules')} hint={t('rulesHint')}>
        <PolicyRules {...parts} />
      </TitledPart>
      <TitledPart title={t('remembered')} hint={t('rememberedHint')}>
        <RememberedDecisions {...parts} />
      </TitledPart>
      <UntrustedContent />
      {isAdmin && <Trust {...parts} />}
      <TitledPart title={t('tester')} hint={t('testerHint')}>
        <PolicyTester policy={policy} />
      </TitledPart>
    </div>
  );
}

function Trust(parts: PolicyPartProps) {
  const t = useTranslations('policy');
  return (
    <>
      <TitledPart title={t('trustedServers')} hint={t('trustedHint')}>
        <TrustedServers {...parts} />
      </TitledPart>
      <TitledPart title={t('repeat')} hint={t('repeatHint')}>
        <SafeToRepeat {...parts} />
      </TitledPart>
    </>
  );
}
