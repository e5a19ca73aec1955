/** Widely used servers on npm that a name may have been meant for. */
const popularPackages = `
  @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem
  @modelcontextprotocol/server-memory @modelcontextprotocol/server-sequential-thinking
  @modelcontextprotocol/server-github @modelcontextprotocol/server-gitlab
  @modelcontextprotocol/server-slack @modelcontextprotocol/server-postgres
  @modelcontextprotocol/server-brave-search @modelcontextprotocol/server-google-maps
  @modelcontextprotocol/server-puppeteer @modelcontextprotocol/server-redis
  @modelcontextprotocol/server-everart @modelcontextprotocol/inspector @playwright/mcp
  @upstash/context7-mcp @notionhq/notion-mcp-server @supabase/mcp-server-supabase @stripe/mcp
  @sentry/mcp-server @brave/brave-search-mcp-server @eslint/mcp @antv/mcp-server-chart
  @azure-devops/mcp @heroku/mcp-server @hubspot/mcp-server @perplexity-ai/mcp-server
  @elastic/mcp-server-elasticsearch @shopify/dev-mcp @apify/actors-mcp-server
  @benborla29/mcp-server-mysql chrome-devtools-mcp figma-developer-mcp firecrawl-mcp
  exa-mcp-server tavily-mcp airtable-mcp-server mongodb-mcp-server mcp-server-kubernetes
  mcp-server-sqlite mcp-remote supergateway linear-mcp-server
`
  .trim()
  .split(/\s+/);

const mostSlips = 2;

/** The one popular package whose name is a slip or two away, or the same under another scope. Pure. */
export function similarPackage(name: string): string | undefined {
  const near = popularPackages.filter(
    (each) =>
      each !== name &&
      (distance(each, name) <= mostSlips ||
        (bareName(name).length > 5 && distance(bareName(each), bareName(name)) <= 1)),
  );
  return near.toSorted((a, b) => distance(a, name) - distance(b, name))[0];
}

function bareName(name: string): string {
  return name.replace(/^@[^/]*\//, '');
}

/** How many letters have to be added, removed or changed to make one of the other. */
function distance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < two.length; j += 1) {
      const change = (row[j] ?? 0) + (one[i] === two[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[two.length] ?? 0;
}
