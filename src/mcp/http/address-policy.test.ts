import { describe, expect, it } from 'vitest';
import { addressBlocked, checkUrl, isAllowed, isPublicAddress } from './address-policy.ts';

/** Every way of writing an address that is not public which faults.md T16 names, and more. */
const privateHosts = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.1',
  '017700000001',
  '１２７.0.0.1',
  '127。0。0。1',
  '127.0.0.1.',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.8',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[::7f00:1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:808:808::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
];

describe('the address policy (T16)', () => {
  it.each(privateHosts)('refuses %s', (host) => {
    expect(() => checkUrl(`http://${host}:8080/x`, [])).toThrow(
      expect.objectContaining({ code: 'address_blocked' }),
    );
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', 'example.com'])(
    'lets %s through',
    (host) => {
      expect(checkUrl(`https://${host}/`, []).protocol).toBe('https:');
    },
  );

  it.each([
    'http://user@example.com/',
    'http://127.0.0.1@example.com/',
    'http://example.com:pw@127.0.0.1/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'unix:/var/run/docker.sock',
    '//example.com/',
    'example.com',
    'http://',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5.999999/',
    `http://example.com/${'a'.repeat(9000)}`,
  ])('refuses the URL %s', (url) => {
    expect(() => checkUrl(url, [])).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  });

  it('judges resolved addresses, and takes what is no address for private', () => {
    expect(isPublicAddress('93.184.215.14')).toBe(true);
    expect(isPublicAddress('64:ff9b::8.8.8.8')).toBe(true);
    expect(isPublicAddress('64:ff9b::')).toBe(false);
    expect(isPublicAddress('2606:4700::1%eth0')).toBe(false);
    for (const odd of ['', 'localhost', '127.1', '0x7f.1', '::ffff:1.2.3.4']) {
      expect(isPublicAddress(odd)).toBe(false);
    }
  });

  it('tells how an admin allows the address', () => {
    expect(addressBlocked('::1', 80).message).toContain('Settings → Host');
    expect(addressBlocked('::1', 80).message).toContain('"[::1]:80"');
  });
});

describe('an allow entry', () => {
  it('permits exactly its host and port', () => {
    const allow = ['127.0.0.1:8080'];
    expect(checkUrl('http://127.0.0.1:8080/', allow).port).toBe('8080');
    expect(checkUrl('http://2130706433:8080/', allow).port).toBe('8080');
    for (const other of [
      'http://127.0.0.1:8081/',
      'http://127.0.0.2:8080/',
      'http://[::1]:8080/',
    ]) {
      expect(() => checkUrl(other, allow)).toThrow(/isn't on the public internet/);
    }
  });

  it('permits every port of its host when it names none', () => {
    expect(isAllowed('127.0.0.1', 9999, ['127.0.0.1'])).toBe(true);
    expect(isAllowed('127.0.0.1', 80, ['127.0.0.1:80'])).toBe(true);
    expect(isAllowed('127.0.0.1', 443, ['127.0.0.1:80'])).toBe(false);
  });

  it('compares hosts as URLs write them', () => {
    expect(isAllowed('intranet.example', 80, ['  INTRANET.example:80 '])).toBe(true);
    expect(isAllowed('::1', 80, ['[::1]:80'])).toBe(true);
    expect(isAllowed('[::1]', 80, ['::1'])).toBe(true);
    expect(isAllowed('xn--fiqs8s.example', 80, ['中国.example'])).toBe(true);
  });

  it('permits nothing when it is malformed, a suffix or a pattern', () => {
    for (const entry of [
      '',
      '*',
      '*.example',
      'example',
      '.intranet.example',
      'http://a.example/',
      'x@a.example',
      ':80',
      'a.example:port',
      'a.example:80:80',
    ]) {
      expect(isAllowed('a.example', 80, [entry])).toBe(false);
    }
    expect(isAllowed('localhost', 80, ['127.0.0.1'])).toBe(false);
  });
});
