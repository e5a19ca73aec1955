import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { type Answering, chooseSuggestions } from './suggestions.ts';

/** Who will answer, by name. */
export interface Answerer extends Answering {
  /** Absent until it is known. */
  model: string | undefined;
  /** Present where there are several to choose from. */
  assistant: string | undefined;
}

/** Who will answer, and how many servers are at hand: so that nobody has to find out. */
export function WhatWorks({ model, assistant, scripted, servers }: Answerer): ReactElement {
  const t = useTranslations('chat');
  const count = servers.length;
  return (
    <p className="mx-auto mt-2 min-h-12 max-w-xl text-balance text-muted">
      {model === undefined
        ? t('greetingText')
        : scripted
          ? t('worksScripted', { count })
          : assistant === undefined
            ? t('works', { model, count })
            : t('worksAs', { model, assistant, count })}
    </p>
  );
}

interface SuggestionsProps extends Omit<Answerer, 'assistant'> {
  onSuggest: (text: string) => void;
  /** Absent while the tour is offered in the first place. */
  onTour: (() => void) | undefined;
}

/** Suggestions that the answering model can follow; none until that model is known. */
export function Suggestions({ onSuggest, onTour, ...answering }: SuggestionsProps): ReactElement {
  const t = useTranslations('chat');
  const chosen = answering.model === undefined ? [] : chooseSuggestions(answering);
  const texts = chosen.map(({ text, server = '' }) => t(text, { server }));
  return (
    <ul className="mt-6 flex min-h-24 flex-wrap content-start justify-center gap-2">
      {texts.map((text) => (
        <Suggestion key={text} label={text} onChoose={() => onSuggest(text)} />
      ))}
      {onTour && <Suggestion label={t('suggestTourLabel')} onChoose={onTour} />}
    </ul>
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
