import { useEffect, useState } from 'react';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { useToolWords } from '../../../state/catalog/use-tool-text.ts';
import { api } from '../../../state/session/api.ts';
import type { Schema } from '../../form/form-node.ts';

/** The schema of a tool's arguments: null until it is known, undefined where it cannot be read. */
export function useToolSchema(
  serverId: string,
  toolName: string,
  wanted: boolean,
): Schema | undefined | null {
  const [schema, setSchema] = useState<Schema | undefined | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const left = new AbortController();
    api.servers.tools(serverId, left.signal).then(
      ({ tools }) => {
        const found = tools.find(({ name }) => name === toolName)?.inputSchema;
        if (!left.signal.aborted) setSchema(isJsonObject(found) ? found : undefined);
      },
      // Without the form there is still the JSON.
      () => left.signal.aborted || setSchema(undefined),
    );
    return () => left.abort();
  }, [serverId, toolName, wanted]);
  return useToolWords(serverId, toolName, schema);
}
