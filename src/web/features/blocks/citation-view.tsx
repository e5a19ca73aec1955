import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Citation, CitationBlock } from '#shared/vocabulary/block.ts';
import { siteOf } from '../sources/site-of.ts';
import { SourceCard } from '../sources/source-card.tsx';

const most = 8;

/** The sources that one step of the answer found, in short; the answer ends with the whole list. */
export function CitationView({ block }: { block: CitationBlock }): ReactElement {
  const t = useTranslations('block');
  const { citations } = block;
  const hidden = citations.length - most;
  return (
    <ul aria-label={t('sources', { count: citations.length })} className="flex flex-wrap gap-1.5">
      {citations.slice(0, most).map((citation) => (
        <li key={citation.number} className="max-w-full min-w-0">
          <Chip citation={citation} />
        </li>
      ))}
      {hidden > 0 && (
        <li className="px-1 py-0.5 text-xs text-muted">{t('moreSources', { count: hidden })}</li>
      )}
    </ul>
  );
}

function Chip({ citation }: { citation: Citation }) {
  return (
    <SourceCard
      source={citation}
      className="flex items-baseline gap-1.5 rounded-full border border-line bg-raised px-2.5 py-0.5 text-xs hover:bg-hover pointer-coarse:py-2"
    >
      <span className="font-semibold text-accent-text tabular-nums">{citation.number}</span>
      <span className="max-w-48 truncate text-muted">
        {siteOf(citation) ?? citation.title ?? citation.url}
      </span>
      <span className="sr-only">{citation.title}</span>
    </SourceCard>
  );
}
