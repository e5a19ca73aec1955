/** Something about an address that a person should know before they open it. */
type AddressWarning = 'imitation' | 'user' | 'plain' | 'number';

interface AddressFacts {
  /** Where it leads if it may be opened: only web addresses may. */
  href: string | undefined;
  /** The address in three parts; `host` says whose it is. */
  before: string;
  host: string;
  after: string;
  warnings: AddressWarning[];
}

/** Takes an address of a stranger apart. Never throws. */
export function addressFacts(address: string): AddressFacts {
  if (!URL.canParse(address)) return plain(address);
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return plain(address);
  const user = url.username !== '' || url.password !== '';
  const secret = url.password === '' ? '' : `:${url.password}`;
  const warnings: AddressWarning[] = [
    ...(url.hostname.split('.').some((label) => label.startsWith('xn--'))
      ? ['imitation' as const]
      : []),
    ...(user ? ['user' as const] : []),
    ...(url.protocol === 'http:' && !isLocal(url.hostname) ? ['plain' as const] : []),
    ...(/^[\d.]+$|^\[/.test(url.hostname) && !isLocal(url.hostname) ? ['number' as const] : []),
  ];
  return {
    href: url.href,
    before: `${url.protocol}//${user ? `${url.username}${secret}@` : ''}`,
    host: url.host,
    after: `${url.pathname}${url.search}${url.hash}`,
    warnings,
  };
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function plain(address: string): AddressFacts {
  return { href: undefined, before: '', host: '', after: address, warnings: [] };
}
