import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { Citation, CitationBlock } from '#shared/block.ts';
import { webLink } from '../markdown/safe-text.ts';
import { siteOf } from './source-list.tsx';

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
  const link = webLink(citation.url);
  const title = citation.title ?? citation.url;
  const look =
    'flex items-baseline gap-1.5 rounded-full border border-line bg-raised px-2.5 py-0.5 text-xs';
  const body = (
    <>
      <span className="font-semibold text-accent-text tabular-nums">{citation.number}</span>
      <span className="max-w-48 truncate text-muted">{siteOf(citation) ?? title}</span>
    </>
  );
  if (link === null)
    return (
      <span className={look} title={title}>
        {body}
      </span>
    );
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={title}
      className={`${look} hover:bg-hover`}
    >
      {body}
    </a>
  );
}
