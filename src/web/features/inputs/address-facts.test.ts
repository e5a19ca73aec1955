import { describe, expect, it } from 'vitest';
import { addressFacts } from './address-facts.ts';

describe('addressFacts', () => {
  it('marks whose page it is, with all of the address around it', () => {
    expect(addressFacts('https://pay.example:8443/a?b=1#c')).toEqual({
      href: 'https://pay.example:8443/a?b=1#c',
      before: 'https://',
      host: 'pay.example:8443',
      after: '/a?b=1#c',
      warnings: [],
    });
  });

  it('warns of what misleads', () => {
    const warnings = (address: string) => addressFacts(address).warnings;
    expect(warnings('https://bank.example@evil.example/')).toEqual(['user']);
    expect(addressFacts('https://bank.example:x@evil.example/')).toMatchObject({
      before: 'https://bank.example:x@',
      host: 'evil.example',
    });
    expect(warnings('https://pаypal.example/')).toEqual(['imitation']);
    expect(warnings('http://a.example/')).toEqual(['plain']);
    expect(warnings('https://3232235777/')).toEqual(['number']);
    expect(warnings('http://127.0.0.1:3000/')).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address', ''])(
    'never opens %j',
    (address) => {
      expect(addressFacts(address)).toMatchObject({ href: undefined, after: address });
    },
  );
});
