/** Where programs and browsers go to connect a program. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

const resourcePath = '/.well-known/oauth-protected-resource';

/** Who gives out tokens for `/mcp` or `/mcp/SERVER` (RFC 9728). */
export const resourceMetadataPaths = ['', '/mcp', '/mcp/:server'].map(
  (resource) => `${resourcePath}${resource}` as const,
);

/** What tokens can be got for: below our origin. The bare path stands for everything. */
export function resourceOf(metadataPath: string): string {
  return metadataPath.slice(resourcePath.length) || '/mcp';
}

/** Tells a program that comes to `path` without a good token where to get one. */
export function challengeFor(issuer: string | undefined, path: string, isWrong: boolean): string {
  const facts = [
    'realm="Cerise"',
    ...(isWrong ? ['error="invalid_token"'] : []),
    ...(issuer === undefined ? [] : [`resource_metadata="${issuer}${resourcePath}${path}"`]),
  ];
  return `Bearer ${facts.join(', ')}`;
}
