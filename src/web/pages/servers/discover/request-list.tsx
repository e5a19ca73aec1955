import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { InstallRequestView } from '#shared/api/registry-api.ts';
import { loadRequests, useRequests } from '../../../state/inbox/requests.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useOnce } from '../../../ui/hooks/use-submit.ts';
import { showFailure } from '../../../ui/notices/notices.ts';
import { TimeAgo } from '../../../ui/text/time-ago.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** Requests to install servers: admins review or deny those of others, and everybody sees what became of theirs. */
export function RequestList(props: {
  onReview: (request: InstallRequestView) => void;
}): ReactElement | null {
  const t = useTranslations('requests');
  const requests = useRequests((state) => state.requests);
  if (requests.length === 0) return null;
  return (
    <section className="mb-6" data-testid="requests">
      <h2 className="mb-2.5 text-sm font-medium text-muted">{t('title')}</h2>
      <ul className="space-y-2">
        {requests.map((request) => (
          <li key={request.id}>
            <RequestRow request={request} onReview={() => props.onReview(request)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RequestRow(props: { request: InstallRequestView; onReview: () => void }) {
  const { request, onReview } = props;
  const t = useTranslations('requests');
  const once = useOnce();
  const { id, user, title, name, version, status, createdAt } = request;
  const act = (action: () => Promise<unknown>) =>
    void once(() => action().then(loadRequests).catch(showFailure));
  return (
    <div
      className="card flex flex-wrap items-center justify-between gap-x-3 gap-y-2 p-3"
      data-testid="request"
      data-status={status}
    >
      <span className="min-w-0 flex-1 basis-48 text-sm break-words">
        <VisibleText
          text={user === undefined ? t(`own.${status}`, { title }) : t('asked', { user, title })}
        />
        <span className="mt-0.5 block text-xs text-muted">
          <VisibleText text={`${name} ${version}`} /> · <TimeAgo at={createdAt} />
        </span>
      </span>
      {user === undefined ? (
        <Button onClick={() => act(() => api.registry.withdraw(id))}>
          {t(status === 'open' ? 'withdraw' : 'dismiss')}
        </Button>
      ) : (
        <Review onDeny={() => act(() => api.registry.deny(id))} onReview={onReview} />
      )}
    </div>
  );
}

function Review({ onDeny, onReview }: { onDeny: () => void; onReview: () => void }) {
  const t = useTranslations('requests');
  return (
    <span className="flex gap-2">
      <Button onClick={onDeny} data-testid="deny-request">
        {t('deny')}
      </Button>
      <Button variant="primary" onClick={onReview} data-testid="review-request">
        {t('review')}
      </Button>
    </span>
  );
}
