import { useMemo } from 'react';
import { useMessages } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { sayIn } from '#shared/errors/sentence.ts';
import { serverWords, toolSchema, toolWords } from '#shared/messages/builtin-tool.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { useCatalog } from './catalog.ts';

/** Says the title or description of a server's tools in the reader's language, where the server is a built-in one. */
export function useToolText(
  serverId: string | undefined,
): (tool: string, kind: 'title' | 'description', text: string) => string {
  const { host } = useMessages();
  const config = useConfig(serverId);
  return (tool, kind, text) => sayIn(host, toolWords(config, tool, kind, text));
}

/** Says the description of a server in the reader's language, where it is Cerise's own. */
export function useServerText(
  server: Pick<ServerView, 'config' | 'installedFrom'>,
  text: string,
): string {
  const { host } = useMessages();
  return sayIn(host, serverWords(server, text));
}

/** The schema of a server's tool with its arguments described in the reader's language, in the same way. */
export function useToolWords(serverId: string, tool: string, schema: JsonObject): JsonObject;
export function useToolWords(
  serverId: string,
  tool: string,
  schema: JsonObject | undefined | null,
): JsonObject | undefined | null;
export function useToolWords(
  serverId: string,
  tool: string,
  schema: JsonObject | undefined | null,
): JsonObject | undefined | null {
  const { host } = useMessages();
  const config = useConfig(serverId);
  return useMemo(
    () => schema && toolSchema(config, tool, schema, (words) => sayIn(host, words)),
    [host, config, tool, schema],
  );
}

function useConfig(serverId: string | undefined): unknown {
  return useCatalog(({ servers }) => servers.find(({ id }) => id === serverId)?.config);
}
