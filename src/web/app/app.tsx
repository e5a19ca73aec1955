import { type ReactElement, useEffect, useState } from 'react';
import { useRoute } from 'wouter';
import { lazyPart, Part } from '../features/loading/part.tsx';
import { PageProviders } from '../features/loading/page-providers.tsx';
import { ChatPage } from '../pages/chat/chat-page.tsx';
import { useSight } from '../state/attention/sight.ts';
import { followHost } from '../state/host-events.ts';
import { consentPath } from '../state/session/consent-place.ts';
import { forgetPerson, isExpected } from '../state/session/person.ts';
import { followSession, useSession } from '../state/session/session.ts';
import { Notices } from './notice-list.tsx';
import { Shell } from './shell.tsx';

const ConsentPage = lazyPart(
  async () => (await import('../pages/consent/consent-page.tsx')).ConsentPage,
);
const SignInPage = lazyPart(
  async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage,
);
const UnknownPage = lazyPart(
  async () => (await import('../pages/chat/unknown-page.tsx')).UnknownPage,
);
const ServersPage = lazyPart(
  async () => (await import('../pages/servers/servers-page.tsx')).ServersPage,
);
const SettingsPage = lazyPart(
  async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage,
);

/** The whole page. */
export function App(): ReactElement {
  const signedOut = useSession((state) => state.signedOut);
  const [isConsent] = useRoute(consentPath);
  useEffect(() => followSession(forgetPerson), []);
  return (
    <PageProviders>
      {signedOut ? (
        <>
          <Part>
            <SignInPage />
          </Part>
          <Notices />
        </>
      ) : isConsent ? (
        <Part>
          <ConsentPage />
        </Part>
      ) : (
        <SignedIn />
      )}
    </PageProviders>
  );
}

/** Nothing is drawn in an unknown browser that may have to sign in first. */
function SignedIn() {
  useEffect(followHost, []);
  const signedIn = useSession((state) => state.signedIn);
  const [expected] = useState(isExpected);
  if (!signedIn && !expected) return null;
  return (
    <Shell>
      <Notices />
      <Part>
        <Pages />
      </Part>
    </Shell>
  );
}

function Pages() {
  const [isHome] = useRoute('/');
  const [isTopic, topic] = useRoute('/t/:id');
  const topicId = isTopic ? topic.id : '';
  useEffect(() => useSight.setState({ topicId }), [topicId]);
  const [isServers] = useRoute('/servers');
  const [isDiscover] = useRoute('/servers/discover');
  const [isSettings, settings] = useRoute('/settings/:section?');
  if (isHome || isTopic) return <ChatPage topicId={isTopic ? topic.id : null} />;
  if (isServers || isDiscover)
    return <ServersPage section={isDiscover ? 'discover' : 'installed'} />;
  if (isSettings) return <SettingsPage section={settings.section} />;
  return <UnknownPage />;
}
