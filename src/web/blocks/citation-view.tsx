import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Citation, CitationBlock } from '#shared/block.ts';
import { webLink } from '../markdown/safe-text.ts';

/** The numbered sources of what follows. */
export function CitationView({ block }: { block: CitationBlock }): ReactElement {
  const t = useTranslations('block');
  return (
    <section>
      <p className="mb-1 text-sm text-muted">{t('sources', { count: block.citations.length })}</p>
      <ol className="grid gap-2 sm:grid-cols-2">
        {block.citations.map((citation) => (
          <li key={citation.number}>
            <Source citation={citation} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Source({ citation }: { citation: Citation }) {
  const link = webLink(citation.url);
  const body = (
    <>
      <span className="mt-px grid size-5 shrink-0 place-items-center rounded-md bg-accent-soft text-xs font-semibold text-accent-text tabular-nums">
        {citation.number}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium">{citation.title ?? citation.url}</span>
        {link && <span className="block truncate text-xs text-muted">{new URL(link).host}</span>}
        {citation.snippet && (
          <span className="mt-0.5 line-clamp-2 text-xs text-muted">{citation.snippet}</span>
        )}
      </span>
    </>
  );
  const look = 'card flex h-full items-start gap-2.5 px-3 py-2.5 text-sm';
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
