import { Compass, Cpu } from 'lucide-react';
import { type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { offeredServers, reachableServers } from '../../state/catalog/servers-in-use.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { startTour, useTour } from '../../state/chat/tour.ts';
import { useChatSettings } from '../../state/chat/use-chat-settings.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Logo } from '../../ui/layout/logo.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { type Answerer, Suggestions, WhatWorks } from './who-answers.tsx';

const RealModelNotice = lazyPart(
  async () => (await import('./real-model-notice.tsx')).RealModelNotice,
);

interface WelcomeProps {
  onSuggest: (text: string) => Promise<void>;
}

/** The empty page: a greeting, what works now, and a few things to try. */
export function Welcome({ onSuggest }: WelcomeProps): ReactElement {
  const t = useTranslations('chat');
  const seen = useTour((state) => state.seen);
  const isNew = useTopics(({ loaded, topics }) => loaded && topics.length === 0);
  const answering = useAnswering();
  const suggest = (text: string) => {
    onSuggest(text).catch(showFailure);
  };
  const showAround = () => {
    startTour();
    suggest(t('suggestTour'));
  };
  return (
    <div className="page-scroller flex min-h-0 flex-1 flex-col">
      <div className="m-auto w-full max-w-measure px-6 py-8 text-center">
        <Logo className="mx-auto size-12" />
        <h1 className="mt-5 text-2xl font-semibold tracking-tight text-balance">{t('greeting')}</h1>
        <WhatWorks {...answering} />
        <div className="mt-6 flex flex-wrap justify-center gap-2 empty:hidden">
          {!seen && <ShowAround isFirst={isNew} onClick={showAround} />}
          <ConnectModel />
        </div>
        <Suggestions {...answering} onSuggest={suggest} onTour={seen ? showAround : undefined} />
        <Part>
          <RealModelNotice />
        </Part>
      </div>
    </div>
  );
}

function ShowAround({ isFirst, onClick }: { isFirst: boolean; onClick: () => void }) {
  const t = useTranslations('chat');
  return (
    <Button
      variant={isFirst ? 'primary' : 'plain'}
      className="px-5"
      data-testid="show-around"
      onClick={onClick}
    >
      <Compass aria-hidden />
      {t('showAround')}
    </Button>
  );
}

/** What the next new conversation will be answered with. */
function useAnswering(): Answerer {
  const { model: id, assistant, mcp } = useChatSettings(null);
  const { models, servers, serversLoaded, assistants } = useCatalog();
  const model = models.find((one) => one.id === id);
  const scripted = model?.scripted ?? false;
  const reachable = reachableServers(servers, { topicId: null, assistantId: assistant?.id });
  return {
    model: serversLoaded ? model?.name : undefined,
    assistant: assistants.length > 1 ? assistant?.name : undefined,
    scripted,
    instructed: (assistant?.systemPrompt ?? '') !== '',
    servers: offeredServers(reachable, mcp, { scripted }),
  };
}

/** The way to a real model, while there is none but the demo. */
function ConnectModel() {
  const t = useTranslations('chat');
  const isNeeded = useCatalog(
    ({ models }) => models.length > 0 && models.every(({ scripted }) => scripted),
  );
  if (!isNeeded) return null;
  return (
    <Link
      href="/settings/models?add"
      className="button button-plain px-5"
      data-testid="connect-model"
    >
      <Cpu aria-hidden />
      {t('addModel')}
    </Link>
  );
}
