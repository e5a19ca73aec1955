import { answerTo, callableTools, type Load, manyTools, otherTools } from './load.ts';

interface Request {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

const serverInfo = { name: 'echo', version: '1.0.0' };
const capabilities = { tools: {} };
const modernVersion = '2026-07-28';

/** What the echo server answers, as JSON; undefined where no answer is due. */
export function createAnswers(load: Load): (request: Request) => string | undefined {
  const modern = load.kind === 'calls' && load.era === 'modern';
  const pages = listPages(load, modern);
  const more = modern ? { resultType: 'complete' } : {};
  return ({ id, method, params = {} }) => {
    if (id === undefined) return undefined;
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
    const answer = (result: object): string => `${start}"result":${JSON.stringify(result)}}`;
    switch (method) {
      case 'tools/call': {
        const args = params.arguments as { text: string; count: number };
        return answer({ ...answerTo(String(params.name), args), ...more });
      }
      case 'tools/list':
        return `${start}"result":${pages[Number(params.cursor ?? 0)]}}`;
      case 'ping':
        return answer(more);
      case 'initialize':
        if (modern) break;
        return answer({ protocolVersion: '2025-11-25', capabilities, serverInfo });
      case 'server/discover':
        if (!modern) break;
        return answer({
          supportedVersions: [modernVersion],
          capabilities,
          serverInfo,
          ...kept,
          ...more,
        });
    }
    return `${start}"error":{"code":-32601,"message":"Method not found"}}`;
  };
}

const kept = { ttlMs: 60_000, cacheScope: 'private' };

/** Made once: what listing costs the server is not what is measured. */
function listPages(load: Load, modern: boolean): string[] {
  const tools = load.kind === 'lists' ? otherTools(manyTools) : callableTools();
  const count = load.kind === 'lists' ? load.pages : 1;
  const size = tools.length / count;
  return Array.from({ length: count }, (_, page) =>
    JSON.stringify({
      tools: tools.slice(page * size, (page + 1) * size),
      ...(page + 1 < count && { nextCursor: String(page + 1) }),
      ...(modern && { ...kept, resultType: 'complete' }),
    }),
  );
}
