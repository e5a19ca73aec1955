import { PreviewCard } from '@base-ui/react/preview-card';
import type { ReactElement, ReactNode } from 'react';
import type { Citation } from '#shared/vocabulary/block.ts';
import { webLink } from '../../ui/text/safe-text.ts';
import { siteOf } from './site-of.ts';

interface SourceCardProps {
  source: Citation;
  /** What is read out where the words inside do not say it. */
  label?: string;
  className: string;
  children: ReactNode;
}

/** Something that points to a source: a card says what it is, to the pointer and to the keyboard. */
export function SourceCard({ source, label, className, children }: SourceCardProps): ReactElement {
  const title = source.title ?? source.url ?? '';
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        render={targetOf(source)}
        delay={150}
        closeDelay={150}
        aria-label={label}
        className={className}
      >
        {children}
      </PreviewCard.Trigger>
      <PreviewCard.Portal>
        <PreviewCard.Positioner side="top" sideOffset={6} collisionPadding={8} className="z-30">
          <PreviewCard.Popup
            data-testid="source-card"
            className="popup w-80 max-w-[calc(100vw-1rem)] px-3.5 py-3"
          >
            <p className="font-medium break-words">{title}</p>
            {siteOf(source) && <p className="text-xs break-words text-muted">{siteOf(source)}</p>}
            {source.snippet && (
              <p className="mt-1.5 line-clamp-5 text-sm break-words text-muted">{source.snippet}</p>
            )}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}

function targetOf({ url }: Citation): ReactElement {
  const link = webLink(url);
  return link === null ? (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with nothing to follow, the card is all there is
    <span tabIndex={0} role="note" />
  ) : (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content -- whoever draws it gives it its content
    <a href={link} target="_blank" rel="noopener noreferrer nofollow" />
  );
}
