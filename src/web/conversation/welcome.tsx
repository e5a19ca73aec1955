import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { showFailure } from '../state/notices.ts';
import { Logo } from '../ui/logo.tsx';

interface WelcomeProps {
  onSuggest: (text: string) => Promise<void>;
}

/** The empty page: a greeting and a few things to try. */
export function Welcome({ onSuggest }: WelcomeProps): ReactElement {
  const t = useTranslations('chat');
  const suggestions = [
    { text: t('suggestTime') },
    { text: t('suggestSum') },
    { text: t('suggestTour'), label: t('suggestTourLabel') },
    { text: t('suggestMemory') },
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="m-auto w-full max-w-measure px-6 py-8 text-center">
        <Logo className="mx-auto size-12" />
        <h1 className="mt-5 text-2xl font-semibold tracking-tight text-balance">{t('greeting')}</h1>
        <p className="mt-2 text-muted">{t('greetingText')}</p>
        <ul className="mt-8 flex flex-wrap justify-center gap-2">
          {suggestions.map(({ text, label }) => (
            <li key={text}>
              <button
                type="button"
                data-testid="suggestion"
                onClick={() => {
                  onSuggest(text).catch(showFailure);
                }}
                className="rounded-full border border-line bg-raised px-4 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-hover"
              >
                {label ?? text}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
