import { endpoint } from './wire-json.ts';

/** An address of a vendor's API. A base URL without a path is meant to have the vendor's usual one. */
export function vendorEndpoint(baseUrl: string, usualPath: string, path: string): string {
  const bare = URL.canParse(baseUrl) && new URL(baseUrl).pathname === '/';
  return endpoint(bare ? endpoint(baseUrl, usualPath) : baseUrl, path);
}
