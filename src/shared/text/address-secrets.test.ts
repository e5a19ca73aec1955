import { describe, expect, it } from 'vitest';
import { hiddenInAddress, mapAddressSecrets, restoreAddressSecrets } from './address-secrets.ts';

const hide = (address: string) => mapAddressSecrets(address, () => '•••');

describe('secrets in an address', () => {
  it.each([
    ['https://a.test/mcp', 'https://a.test/mcp'],
    ['https://a.test/mcp?apiKey=abc', 'https://a.test/mcp?apiKey=•••'],
    [
      'https://a.test/?tavilyApiKey=x&toolsets=repos,users#top',
      'https://a.test/?tavilyApiKey=•••&toolsets=repos,users#top',
    ],
    [
      'https://a.test/?a=1&access_token=%20&x-signature=q',
      'https://a.test/?a=1&access_token=•••&x-signature=•••',
    ],
    ['https://a.test/?u=8f14e45fceea167a5a36dedd4bea2543', 'https://a.test/?u=•••'],
    [
      'https://a.test/?tags=reading-and-writing-of-files',
      'https://a.test/?tags=reading-and-writing-of-files',
    ],
    ['https://a.test/?key=${input:key}', 'https://a.test/?key=${input:key}'],
    ['https://a.test/?key=', 'https://a.test/?key='],
  ])('%s is shown as %s', (address, shown) => {
    expect(hide(address)).toBe(shown);
  });

  it.each(['?', '&', '?a', '?=', '=?', '?a=', '#?'])(
    'T81: are found in one look, however many %s there are',
    (piece) => {
      const address = `https://a.test/${piece.repeat(100_000)}`;
      const start = performance.now();
      expect(hide(`${address}#?key=abc`)).toBe(`${address}#?key=•••`);
      expect(hiddenInAddress(address)).toEqual([]);
      expect(restoreAddressSecrets(address, address)).toBe(address);
      expect(performance.now() - start).toBeLessThan(1000);
    },
  );

  it('are kept where they come back as they were shown', () => {
    const present = 'https://a.test/?key=one&b=2&key=two';
    expect(restoreAddressSecrets(hide(present), present)).toBe(present);
    expect(restoreAddressSecrets(encodeURI(hide(present)), present)).toBe(present);
    expect(restoreAddressSecrets('https://a.test/?key=new&b=3', present)).toBe(
      'https://a.test/?key=new&b=3',
    );
    expect(hiddenInAddress(hide(present))).toEqual(['key', 'key']);
  });

  it('never come from another parameter', () => {
    const address = 'https://a.test/?page=•••';
    expect(restoreAddressSecrets(address, 'https://a.test/?key=one&page=3')).toBe(address);
  });
});
