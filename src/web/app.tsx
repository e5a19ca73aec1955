import { CSPProvider } from '@base-ui/react/csp-provider';
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect } from 'react';
import { IntlProvider } from 'use-intl';
import { Redirect, useRoute } from 'wouter';
import { ChatPage } from './conversation/chat-page.tsx';
import { Shell } from './shell.tsx';
import { followHost } from './state/host-events.ts';
import { useLanguage } from './state/language.ts';
import { forgetPerson } from './state/person.ts';
import { readPart } from './state/line.ts';
import { followSession, useSession } from './state/session.ts';
import { Notices } from './ui/notices.tsx';

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const SignInPage = lazy(async () => {
  const { SignInPage } = await import('./sign-in-page.tsx');
  return { default: SignInPage };
});
const ServersPage = lazy(async () => {
  const { ServersPage } = await readPart(() => import('./servers/servers-page.tsx'));
  return { default: ServersPage };
});
const SettingsPage = lazy(async () => {
  const { SettingsPage } = await readPart(() => import('./settings/settings-page.tsx'));
  return { default: SettingsPage };
});

/** The whole page. */
export function App(): ReactElement {
  const signedOut = useSession((state) => state.signedOut);
  useEffect(() => followSession(forgetPerson), []);
  return (
    <Surroundings>
      {signedOut ? (
        <Suspense>
          <SignInPage />
        </Suspense>
      ) : (
        <Shell>
          <Suspense>
            <Pages />
          </Suspense>
        </Shell>
      )}
      <Notices />
    </Surroundings>
  );
}

function Surroundings({ children }: { children: ReactNode }) {
  const language = useLanguage();
  if (!language) return null;
  return (
    <IntlProvider {...language} timeZone={timeZone}>
      <CSPProvider disableStyleElements>{children}</CSPProvider>
    </IntlProvider>
  );
}

function Pages() {
  useEffect(followHost, []);
  const [isHome] = useRoute('/');
  const [isTopic, topic] = useRoute('/t/:id');
  const [isServers] = useRoute('/servers');
  const [isSettings, settings] = useRoute('/settings/:section?');
  if (isHome || isTopic) return <ChatPage topicId={isTopic ? topic.id : null} />;
  if (isServers) return <ServersPage />;
  if (isSettings) return <SettingsPage section={settings.section} />;
  return <Redirect to="/" replace />;
}
