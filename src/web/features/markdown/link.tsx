import { TriangleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { safeLink } from '../../ui/text/safe-text.ts';
import { type LinkDoubt, linkFacts } from './link-facts.ts';

interface SafeLinkProps {
  href: string;
  /** What a reader sees, as plain words. */
  words: string;
  children: ReactNode;
}

/** A link to the web or to mail; anything else is its words. Its host is shown on hover. */
export function SafeLink({ href, words, children }: SafeLinkProps): ReactElement {
  const target = safeLink(href);
  if (target === null) return <span title={href}>{children}</span>;
  const { host, doubt } = linkFacts(target, words);
  return (
    <>
      <a href={target} target="_blank" rel="noopener noreferrer nofollow" title={host}>
        {children}
      </a>
      {doubt && <Doubt host={host} doubt={doubt} />}
    </>
  );
}

function Doubt({ host, doubt }: { host: string; doubt: LinkDoubt }) {
  const t = useTranslations('markdown');
  return (
    <span className="link-doubt" data-testid="link-doubt" title={t(doubt)}>
      <TriangleAlert aria-hidden />
      <span className="sr-only">{t(doubt)} </span>
      <bdi>{host}</bdi>
    </span>
  );
}
