import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, templateVariables } from './uri-template.ts';

describe('URI templates', () => {
  it('name their variables once each, in order', () => {
    expect(templateVariables('demo://{kind}/{+path}{?page,kind,size:3}{&more*}')).toEqual([
      'kind',
      'path',
      'page',
      'size',
      'more',
    ]);
    expect(templateVariables('demo://nothing/{}')).toEqual([]);
  });

  it.for([
    ['a/{x}', 'a/b%2Fc%20%3F'],
    ['a/{+x}', 'a/b/c%20?'],
    ['a{/x}', 'a/b%2Fc%20%3F'],
    ['a{?x,y}', 'a?x=b%2Fc%20%3F&y=%E6%A8%B1'],
    ['a{?none,y}', 'a?y=%E6%A8%B1'],
    ['a{#y}', 'a#%E6%A8%B1'],
    ['a{none}', 'a'],
    ['a{x:3}', 'ab%2Fc'],
    ['a{.y}{;y}', 'a.%E6%A8%B1;y=%E6%A8%B1'],
  ])('%s becomes %s', ([template, address]) => {
    expect(expandTemplate(template ?? '', { x: 'b/c ?', y: '樱' })).toBe(address);
  });

  it('lets no value of a plain variable leave its place', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }), (codes) => {
        const value = String.fromCharCode(...codes);
        const rest = expandTemplate('demo://files/{name}/end', { name: value });
        return /^demo:\/\/files\/[^/?#]*\/end$/.test(rest);
      }),
    );
  });

  it('does not take what every object has for a value', () => {
    expect(expandTemplate('a/{toString}{constructor}', {})).toBe('a/');
  });
});
