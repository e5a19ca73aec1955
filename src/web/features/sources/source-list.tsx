import { ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, Citation } from '#shared/vocabulary/block.ts';
import { webLink } from '../../ui/text/safe-text.ts';
import { citedNumbers } from './citation-marks.ts';
import { siteOf } from './site-of.ts';
import type { Sources } from './sources.tsx';

const mostUncited = 6;

interface SourceListProps {
  blocks: readonly Block[];
  sources: Sources;
}

/**
 * The numbered sources of a whole answer: those its text points to, or the first few where it points
 * to none; the others can be opened.
 */
export function SourceList({ blocks, sources }: SourceListProps): ReactElement | null {
  const t = useTranslations('block');
  if (sources.size === 0) return null;
  const { shown, more } = arrange(blocks, sources);
  return (
    <section aria-label={t('sources', { count: sources.size })} data-testid="sources">
      <p className="mb-1.5 text-sm text-muted">{t('sources', { count: sources.size })}</p>
      <Entries citations={shown} />
      {more.length > 0 && (
        <details className="group/more mt-1">
          <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-md py-1 text-sm text-muted hover:text-ink">
            <ChevronRight
              aria-hidden
              className="size-4 transition-transform group-open/more:rotate-90"
            />
            {t('moreSources', { count: more.length })}
          </summary>
          <Entries citations={more} />
        </details>
      )}
    </section>
  );
}

function arrange(blocks: readonly Block[], sources: Sources) {
  const text = blocks.filter(({ type }) => type === 'main_text').map(({ content }) => content);
  const cited = citedNumbers(text.join('\n'));
  const all = [...sources.values()];
  const shown = all.filter(({ number }) => cited.has(number));
  if (shown.length === 0) return { shown: all.slice(0, mostUncited), more: all.slice(mostUncited) };
  return { shown, more: all.filter(({ number }) => !cited.has(number)) };
}

function Entries({ citations }: { citations: Citation[] }) {
  return (
    <ol className="grid gap-x-4 gap-y-0.5 sm:grid-cols-2">
      {citations.map((citation) => (
        <li key={citation.number} className="min-w-0">
          <Entry citation={citation} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ citation }: { citation: Citation }) {
  const link = webLink(citation.url);
  const site = siteOf(citation);
  const body = (
    <>
      <span className="mt-px grid h-5 min-w-6 shrink-0 place-items-center rounded-md bg-accent-soft px-1 text-xs font-semibold text-accent-text tabular-nums">
        {citation.number}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">{citation.title ?? citation.url}</span>
        {site && <span className="block truncate text-xs text-muted">{site}</span>}
        {citation.snippet && (
          <span className="mt-0.5 line-clamp-2 text-xs text-muted">{citation.snippet}</span>
        )}
      </span>
    </>
  );
  const look = '-mx-2 flex h-full items-start gap-2.5 rounded-lg px-2 py-1.5 text-sm';
  if (link === null) return <div className={look}>{body}</div>;
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={citation.title}
      className={`${look} hover:bg-hover`}
    >
      {body}
    </a>
  );
}
