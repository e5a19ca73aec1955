import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { SignInView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { browserName } from './browser-name.ts';

/** The browsers somebody is signed in with, each with a way to end it. */
export function SignIns(): ReactElement {
  const common = useTranslations('common');
  const [round, setRound] = useState(0);
  const { value, error } = useLoaded((signal) => api.people.signIns(signal), String(round));
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  return (
    <ul className="card divide-y divide-line">
      {value.signIns.map((signIn) => (
        <SignInRow
          key={signIn.id}
          signIn={signIn}
          onEnded={() => setRound((before) => before + 1)}
        />
      ))}
    </ul>
  );
}

const methodText = { link: 'byLink', password: 'byPassword', oidc: 'byOidc' } as const;

function SignInRow({ signIn, onEnded }: { signIn: SignInView; onEnded: () => void }) {
  const t = useTranslations('people');
  const format = useFormatter();
  const { id, browser, method, lastSeenAt, current } = signIn;
  const name = browserName(browser) ?? t('unknownBrowser');
  const seen = format.dateTime(lastSeenAt, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="flex items-center gap-3 px-4 py-2.5" data-testid="sign-in-row">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={browser}>
          {name}
        </p>
        <p className="text-xs text-muted">
          {t(methodText[method])} · {current ? t('activeNow') : t('lastSeen', { time: seen })}
        </p>
      </div>
      {current ? (
        <span className="text-xs text-ok">{t('thisBrowser')}</span>
      ) : (
        <Button
          aria-label={t('endNamed', { name })}
          onClick={() => {
            api.people.endSignIn(id).then(onEnded, showFailure);
          }}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
