import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { assignToolNames } from '#tools/registry/names.ts';

const scheme = 'cerise:';

/** The address of a resource among those of several servers: `cerise:SERVER:ADDRESS`, for templates too. */
export function sharedUri(serverId: string, uri: string): string {
  return `${scheme}${encodeURIComponent(serverId)}:${uri}`;
}

/** The server and its own address behind one of ours. Throws `not_found`. */
export function ownUri(shared: string): { serverId: string; uri: string } {
  const [, serverId, uri] = /^cerise:([^:]+):(.+)$/s.exec(shared) ?? [];
  if (serverId === undefined || uri === undefined || !isEncoded(serverId)) throw noResource();
  return { serverId: decodeURIComponent(serverId), uri };
}

function isEncoded(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text) && URL.canParse(`x:${text}`) && !/%[89a-f]/i.test(text);
}

/** The error for an address that nobody knows. */
export function noResource(): CeriseError {
  return new CeriseError('not_found', say('no-resource')`There is no resource with this URI.`);
}

/** Gives prompts of several servers the names that their tools would have. */
export function namePrompts<T extends { serverId: string; serverName: string; name: string }>(
  prompts: readonly T[],
): Map<string, T> {
  const identities = prompts.map((prompt) => ({
    kind: 'configured' as const,
    serverId: prompt.serverId,
    serverName: prompt.serverName,
    toolName: prompt.name,
    prompt,
  }));
  return new Map([...assignToolNames(identities)].map(([name, { prompt }]) => [name, prompt]));
}
