import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ErrorCode } from '#shared/errors/errors.ts';
import type { ErrorBlock } from '#shared/vocabulary/block.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useOnce } from '../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

type Remedy = 'again' | 'settings' | 'servers';

/** What a person can do about an error right here; nothing for those that are not listed. */
const remedies: Partial<Record<ErrorCode, Remedy[]>> = {
  model_unauthorized: ['settings', 'again'],
  model_no_credit: ['settings', 'again'],
  model_not_found: ['settings'],
  provider_not_found: ['settings'],
  sign_in_required: ['servers', 'again'],
  model_rate_limited: ['again'],
  model_unreachable: ['again'],
  model_failed: ['again'],
  model_refused: ['again'],
  model_length: ['again'],
  connection_refused: ['again'],
  connection_lost: ['again'],
  protocol_error: ['again'],
  unreadable_response: ['again'],
  http_error: ['again'],
  timed_out: ['again'],
  call_limit: ['again'],
  interrupted: ['again'],
  storage_unavailable: ['again'],
  disk_full: ['again'],
  shutting_down: ['again'],
  internal: ['again'],
};

/** Why an answer failed, and what can be done about it. */
export function ErrorView({ block }: { block: ErrorBlock }): ReactElement {
  const offered = remedies[block.error.code] ?? [];
  return (
    <ErrorNote error={block.error}>
      {offered.length > 0 && (
        <div className="mt-2.5 flex flex-wrap gap-2">
          {offered.map((remedy) => (
            <RemedyButton key={remedy} remedy={remedy} answerId={block.messageId} />
          ))}
        </div>
      )}
    </ErrorNote>
  );
}

function RemedyButton({ remedy, answerId }: { remedy: Remedy; answerId: string }) {
  const t = useTranslations('block');
  const once = useOnce();
  if (remedy === 'again') {
    const again = () => {
      once(() => api.messages.regenerate(answerId)).catch(showFailure);
    };
    return (
      <Button data-testid="try-again" onClick={again}>
        {t('tryAgain')}
      </Button>
    );
  }
  const [path, words] =
    remedy === 'settings'
      ? (['/settings', 'openSettings'] as const)
      : (['/servers', 'openServers'] as const);
  return (
    <Link href={path} className="button button-plain">
      {t(words)}
    </Link>
  );
}
