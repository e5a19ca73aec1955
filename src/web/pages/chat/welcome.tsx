import { Compass } from 'lucide-react';
import { type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart, Part } from '../../features/loading/part.tsx';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { startTour, useTour } from '../../state/chat/tour.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Logo } from '../../ui/layout/logo.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

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
  const suggest = (text: string) => {
    onSuggest(text).catch(showFailure);
  };
  const showAround = () => {
    startTour();
    suggest('/tour');
  };
  return (
    <div className="page-scroller flex min-h-0 flex-1 flex-col">
      <div className="m-auto w-full max-w-measure px-6 py-8 text-center">
        <Logo className="mx-auto size-12" />
        <h1 className="mt-5 text-2xl font-semibold tracking-tight text-balance">{t('greeting')}</h1>
        <WhatWorks />
        {!seen && (
          <Button
            variant="primary"
            className="mt-6 px-5"
            data-testid="show-around"
            onClick={showAround}
          >
            <Compass aria-hidden />
            {t('showAround')}
          </Button>
        )}
        <ul className="mt-6 flex flex-wrap justify-center gap-2">
          {[t('suggestTime'), t('suggestSum'), t('suggestMemory')].map((text) => (
            <Suggestion key={text} label={text} onChoose={() => suggest(text)} />
          ))}
          {seen && <Suggestion label={t('suggestTourLabel')} onChoose={showAround} />}
        </ul>
        <Part>
          <RealModelNotice />
        </Part>
      </div>
    </div>
  );
}

/** Who will answer, and how many servers are at hand: so that nobody has to find out. */
function WhatWorks() {
  const t = useTranslations('chat');
  const servers = useCatalog((state) => state.servers);
  const loaded = useCatalog((state) => state.serversLoaded);
  const model = useCatalog(({ models, defaultModel }) =>
    models.find(({ id }) => id === defaultModel),
  );
  const usable = servers.filter(({ state }) => !['draft', 'disabled', 'failed'].includes(state));
  return (
    <p className="mx-auto mt-2 min-h-12 max-w-xl text-balance text-muted">
      {model && loaded
        ? t(model.scripted ? 'worksScripted' : 'works', {
            model: model.name,
            count: usable.length,
          })
        : t('greetingText')}
    </p>
  );
}

function Suggestion({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        data-testid="suggestion"
        onClick={onChoose}
        className="rounded-full border border-line bg-raised px-4 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-hover pointer-coarse:min-h-11"
      >
        {label}
      </button>
    </li>
  );
}
