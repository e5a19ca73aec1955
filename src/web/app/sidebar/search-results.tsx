import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { SearchHit } from '#shared/api/api.ts';
import { api } from '../../state/session/api.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { TimeAgo } from '../../ui/text/time-ago.tsx';
import { withoutMarks } from '../../ui/text/without-marks.ts';

interface SearchResultsProps {
  query: string;
  onLeave: () => void;
}

/** What the host finds in titles and texts; each opens its conversation. */
export function SearchResults({ query, onLeave }: SearchResultsProps): ReactElement {
  const t = useTranslations('sidebar');
  const common = useTranslations('common');
  const hits = useSearch(query);
  if (hits === null) return <p className="px-2.5 py-3 text-sm text-muted">{common('loading')}</p>;
  if (hits.length === 0) return <p className="px-2.5 py-3 text-sm text-muted">{t('noHits')}</p>;
  return <HitList hits={hits} query={query} onLeave={onLeave} />;
}

/** The hits by chat: its title and time once, then the words around whatever was found in it. */
export function HitList(props: SearchResultsProps & { hits: SearchHit[] }): ReactElement {
  const { hits, query, onLeave } = props;
  const chats = Map.groupBy(hits, ({ topicId }) => topicId);
  return (
    <ul className="space-y-px pt-1">
      {[...chats].map(([topicId, found]) => (
        <li key={topicId}>
          {withoutEchoes(found).map((hit, index) => (
            <Link
              key={hit.blockId ?? ''}
              href={`/t/${hit.topicId}${hit.messageId ? `#${hit.messageId}` : ''}`}
              onClick={onLeave}
              data-testid="search-hit"
              className={`block rounded-lg px-2.5 text-sm hover:bg-hover ${index === 0 ? 'py-2' : 'py-1.5'}`}
            >
              {index === 0 && <HitTitle hit={hit} query={query} />}
              {!isEcho(hit) && (
                <span dir="auto" className="line-clamp-2 text-xs break-words text-muted">
                  <Marked text={withoutMarks(hit.snippet)} query={query} />
                </span>
              )}
            </Link>
          ))}
        </li>
      ))}
    </ul>
  );
}

function HitTitle({ hit, query }: { hit: SearchHit; query: string }) {
  const t = useTranslations('sidebar');
  return (
    <>
      <span dir="auto" className="block truncate font-medium">
        <Marked text={hit.topicTitle || t('untitled')} query={query} />
      </span>
      <span className="flex items-baseline gap-2 text-xs text-muted">
        <TimeAgo at={hit.at} />
        {hit.archived && <span className="rounded-full bg-sunken px-2">{t('archived')}</span>}
      </span>
    </>
  );
}

/** Whether a hit says nothing but its title, as the title itself and a chat that begins with it do. */
export function isEcho({ snippet, topicTitle }: SearchHit): boolean {
  return snippet.trim() === topicTitle.trim();
}

/** The hits of one chat; of those that say nothing but its title the first, and only where it stands first. */
function withoutEchoes(hits: SearchHit[]): SearchHit[] {
  return hits.filter((hit, index) => index === 0 || !isEcho(hit));
}

/** Asks shortly after the last key press; null until the first answer, and for nothing. */
export function useSearch(query: string): SearchHit[] | null {
  const [hits, setHits] = useState<SearchHit[] | null>(null);
  useEffect(() => {
    if (query === '') return undefined;
    const asked = new AbortController();
    const timer = setTimeout(() => {
      api.topics.search(query, asked.signal).then(
        (found) => setHits(found.hits),
        (error: unknown) => asked.signal.aborted || showFailure(error),
      );
    }, 180);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [query]);
  return query === '' ? null : hits;
}

/** The text with each word of the query marked. */
function Marked({ text, query }: { text: string; query: string }) {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => RegExp.escape(word));
  if (words.length === 0) return text;
  // Split by a group, every second piece is a match.
  return text.split(new RegExp(`(${words.join('|')})`, 'iu')).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- pieces may repeat, their place is their identity
      <mark key={index} className="rounded-xs bg-accent-soft text-accent-text">
        {piece}
      </mark>
    ),
  );
}
