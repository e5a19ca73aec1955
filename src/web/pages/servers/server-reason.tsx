import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inLine, useReason } from '../../ui/notices/use-reason.ts';

/** Why a server is in its state, in a sentence; more on demand. */
export function ServerReason(props: {
  server: ServerView;
  onFix: (fix: ServerFix) => void;
  onWhy: () => void;
}): ReactElement {
  const { server, onFix, onWhy } = props;
  const t = useTranslations('servers');
  const { reason = '', reasonSaid, reasonCode } = server;
  const code = (reasonCode ?? '') as ErrorCode;
  const told = useReason()({ code, message: reason, messageSaid: reasonSaid });
  const look = server.state === 'needs-auth' ? 'bg-warn-soft' : 'bg-danger-soft';
  return (
    <div
      className={`border-t border-line px-4 py-2 text-sm break-words ${look}`}
      data-testid="reason"
    >
      <p>
        {inLine(told)}{' '}
        {!server.readOnly && (
          <button type="button" onClick={onWhy} className="underline underline-offset-2">
            {t('why')}
          </button>
        )}
      </p>
      {server.fix && !server.readOnly && <FixButton fix={server.fix} onFix={onFix} />}
    </div>
  );
}

/** The change that would help, as a button: it opens the form with the change made. */
function FixButton({ fix, onFix }: { fix: ServerFix; onFix: (fix: ServerFix) => void }) {
  const t = useTranslations('servers');
  const label = {
    variable: () => t('fixVariable', { name: fix.kind === 'variable' ? fix.name : '' }),
    secret: () => t('fixSecret', { name: fix.kind === 'secret' ? fix.name : '' }),
    header: () => t('fixHeader', { name: fix.kind === 'header' ? fix.name : '' }),
    argument: () => t('fixArgument', { value: fix.kind === 'argument' ? fix.to : '' }),
    address: () => t('fixAddress'),
    network: () => t('fixNetwork'),
  }[fix.kind]();
  return (
    <Button className="mt-2" onClick={() => onFix(fix)} data-testid="fix-server">
      {label}
    </Button>
  );
}
