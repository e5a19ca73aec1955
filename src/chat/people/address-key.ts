import { isIP } from 'node:net';

/**
 * What counts as one address: IPv4 as it is, also where it comes as IPv6; of IPv6 the first 64 bits, since
 * one customer has all of the rest.
 */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) !== 6) return plain;
  const parts = groups(plain);
  const [zeros, mapped, high = 0, low = 0] = [parts.slice(0, 5), parts[5], parts[6], parts[7]];
  if (mapped === 0xffff && zeros.every((part) => part === 0))
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groups(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = readGroups(head);
  if (tail === undefined) return before;
  const after = readGroups(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function readGroups(text: string): number[] {
  return text
    .split(':')
    .filter((part) => part !== '')
    .flatMap((part) => {
      if (!part.includes('.')) return [Number.parseInt(part, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
}
