import type { KeyScope } from '#shared/people-api.ts';

/** Where a key that may talk may do more than read. */
const talking = [
  /^\/api\/(?:topics|answers|tool-calls|inputs|files)(?:\/|$)/,
  /^\/api\/servers\/[^/]+\/(?:tools\/[^/]+\/call|prompts\/[^/]+\/get|resources\/read|complete)$/,
  /^\/v1\//,
  /^\/mcp$/,
];

/** Which scope a request needs; each scope includes the ones before it. */
export function scopeOf({ method, path }: { method: string; path: string }): KeyScope {
  if (method === 'GET' || method === 'HEAD' || path.startsWith('/api/streams/')) return 'read';
  return talking.some((pattern) => pattern.test(path)) ? 'chat' : 'admin';
}

const order: KeyScope[] = ['read', 'chat', 'admin'];

/** Whether any of these scopes is enough. */
export function isEnough(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  return scopes.some((scope) => order.indexOf(scope) >= order.indexOf(needed));
}
