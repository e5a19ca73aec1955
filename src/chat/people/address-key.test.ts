import { expect, it } from 'vitest';
import { addressKey } from './address-key.ts';

it('takes an IPv4 address for itself, however it is written', () => {
  for (const form of [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '::FFFF:10.1.2.3',
    '::ffff:a01:203',
    '0:0:0:0:0:ffff:a01:203',
  ])
    expect(addressKey(form)).toBe('10.1.2.3');
  expect(addressKey('10.1.2.4')).not.toBe(addressKey('10.1.2.3'));
});

it('takes a /64 of IPv6 for one address', () => {
  const key = addressKey('2001:db8:0:7::1');
  expect(key).toBe('2001:db8:0:7::/64');
  for (const form of [
    '2001:db8::7:1:2:3:4',
    '2001:0DB8:0000:0007:ffff:ffff:ffff:ffff',
    '2001:db8:0:7::%eth0',
  ])
    expect(addressKey(form)).toBe(key);
  expect(addressKey('2001:db8:0:8::1')).not.toBe(key);
  expect(addressKey('::1')).toBe('0:0:0:0::/64');
  expect(addressKey('64:ff9b::10.1.2.3')).toBe('64:ff9b:0:0::/64');
});

it('takes what is no address for itself', () => {
  expect(addressKey('')).toBe('');
});
