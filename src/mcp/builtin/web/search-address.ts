import type { WebSearchSettings } from '../toolkit/context.ts';

/** The public addresses of search engines; everybody runs their own SearXNG. */
const usual: Record<WebSearchSettings['kind'], string | undefined> = {
  searxng: undefined,
  brave: 'https://api.search.brave.com/res/v1/web/search',
  tavily: 'https://api.tavily.com/search',
};

/** Where searches go, and with them the key; empty where that has not been said. */
export function searchAddress({ kind, url }: Pick<WebSearchSettings, 'kind' | 'url'>): string {
  return url ?? usual[kind] ?? '';
}
