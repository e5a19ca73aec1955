import type { Citation } from '#shared/vocabulary/block.ts';
import { webLink } from '../../ui/text/safe-text.ts';

/** The site of a source as people say it. */
export function siteOf({ url }: Citation): string | undefined {
  const link = webLink(url);
  return link === null ? undefined : new URL(link).host.replace(/^www\./, '');
}
