import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ConsentView } from '#shared/api/people-api.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { ServerLimits } from '../../features/policy/server-limits.tsx';
import { useStill } from '../../state/inbox/still.ts';
import { api } from '../../state/session/api.ts';
import { forgetConsent } from '../../state/session/consent-place.ts';
import { loadMe } from '../../state/session/me.ts';
import { useSession } from '../../state/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import { Logo } from '../../ui/layout/logo.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';

/**
 * A program asks for access: who it says it is, where the browser returns to, and what it will reach. The browser came
 * from another site, so it shows who it is only when this page asks.
 */
export function ConsentPage(): ReactElement {
  const t = useTranslations('consent');
  const [search] = useState(() => location.search);
  const { value: consent, error } = useLoaded(
    (signal) => api.grants.consent(search, signal),
    search,
  );
  const [isDone, setDone] = useState(false);
  const title = isDone ? t('done') : error ? t('refused') : t('title');
  return (
    <main className="grid min-h-full place-content-center px-6 py-10" data-testid="consent">
      <div className="w-[min(26rem,calc(100vw-3rem))]">
        <Logo className="mx-auto size-12" />
        <h1 className="mt-5 text-center text-2xl font-semibold tracking-tight text-balance">
          {title}
        </h1>
        {error && (
          <div className="mt-6 space-y-4">
            <ErrorNote error={error} />
            <a href="/" className="button button-plain w-full">
              {t('home')}
            </a>
          </div>
        )}
        {consent && !isDone && (
          <Request consent={consent} search={search} onDone={() => setDone(true)} />
        )}
      </div>
    </main>
  );
}

interface RequestProps {
  consent: ConsentView;
  search: string;
  onDone: () => void;
}

function Request({ consent, search, onDone }: RequestProps) {
  const t = useTranslations('consent');
  const [limits, setLimits] = useState<ServerLimit[] | undefined>();
  const { error, submit } = useSubmit(onDone);
  const isStill = useStill(search);
  useEffect(() => {
    forgetConsent();
    void loadMe();
  }, []);
  const decide = (decision: 'allow' | 'deny') =>
    submit(async () => {
      const request = Object.fromEntries(new URLSearchParams(search)) as { client_id: string };
      const servers = decision === 'allow' && limits ? { servers: limits } : {};
      const { redirect } = await api.grants.decide({ request, decision, ...servers });
      location.assign(redirect);
    });
  return (
    <div className="mt-6 space-y-5">
      <Facts consent={consent} />
      <p className="text-sm text-pretty text-muted">{t('allows')}</p>
      {!consent.server && (
        <div className="space-y-2">
          <ServerLimits limits={limits} onChange={setLimits} />
          {!limits && (
            <p className="text-xs text-pretty text-muted">
              <VisibleText text={t('reaches', { servers: consent.servers.join(', ') })} />
            </p>
          )}
        </div>
      )}
      {error && <ErrorNote error={error} />}
      <div className="grid grid-cols-2 gap-3">
        <Button className="pointer-coarse:min-h-11" onClick={() => decide('deny')}>
          {t('deny')}
        </Button>
        <Button
          variant="primary"
          className="pointer-coarse:min-h-11"
          disabled={!isStill || limits?.length === 0}
          onClick={() => decide('allow')}
        >
          {t('allow')}
        </Button>
      </div>
    </div>
  );
}

function Facts({ consent: { program, place, isLocal, server } }: { consent: ConsentView }) {
  const t = useTranslations('consent');
  const user = useSession(({ me }) => me?.user.name);
  return (
    <div className="card px-4 py-4">
      <p className="text-sm text-muted">{t('calls')}</p>
      <p className="mt-0.5 text-lg font-semibold wrap-anywhere" data-testid="program-name">
        <VisibleText text={program.name || t('unnamed')} />
      </p>
      <p className="mt-1 text-sm text-pretty text-warn">{t('unverified')}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {program.host !== undefined && <Fact label={t('publisher')}>{program.host}</Fact>}
        <Fact label={t('returnsTo')}>{isLocal ? t('thisComputer', { place }) : place}</Fact>
        {server && <Fact label={t('server')}>{server.name}</Fact>}
        {user !== undefined && <Fact label={t('user')}>{user}</Fact>}
      </dl>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">
        <VisibleText text={children} />
      </dd>
    </>
  );
}
