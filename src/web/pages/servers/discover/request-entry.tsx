import { ShieldAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { loadRequests, useRequests } from '../../../state/inbox/requests.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { LaunchFacts } from '../launch/launch-facts.tsx';

/** What somebody may not install themselves: what it would run, and the button that asks an admin. */
export function RequestEntry(props: {
  entry: RegistryEntry;
  way: ImportedEntry;
  onClose: () => void;
}): ReactElement {
  const { registry, name, version } = props.entry;
  const { place, config, error: refused } = props.way;
  const t = useTranslations('requests');
  const common = useTranslations('common');
  const { error, submit } = useSubmit();
  const reasonOf = useReason();
  const isAsked = useIsRequested(props.entry);
  const ask = async () => {
    await api.registry.request({ registry, name, version, place });
    await loadRequests();
  };
  return (
    <div className="space-y-4" data-testid="request-entry">
      {refused && (
        <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm">
          <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {inLine(reasonOf({ ...refused, code: refused.code as ErrorCode }))}
        </p>
      )}
      {config !== undefined && <LaunchFacts config={config} />}
      {error && <ErrorNote error={error} />}
      <div className="dialog-actions items-center">
        <span role="status" className="mr-auto text-sm text-muted">
          {isAsked && t('requested')}
        </span>
        <Button onClick={props.onClose}>{common('close')}</Button>
        {!isAsked && (
          <Button variant="primary" onClick={() => submit(ask)} data-testid="request-install">
            {t('request')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Whether the reader asked for it already, and no admin has answered. */
function useIsRequested({ registry, name }: RegistryEntry): boolean {
  return useRequests(({ requests }) =>
    requests.some(
      (one) =>
        one.user === undefined &&
        one.status === 'open' &&
        one.name === name &&
        one.registry === registry,
    ),
  );
}
