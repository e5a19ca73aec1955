import { beforeEach, describe, expect, it } from 'vitest';
import type { InputView } from '#shared/api/input-api.ts';
import { dropForms, readForms, storeForm } from './form-drafts.ts';

type Form = Extract<InputView, { kind: 'form' }>;
const form = (id: string, fields: string[], message = 'Please fill in.') => ({
  id,
  message,
  schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
  } as Form['schema'],
});

beforeEach(() => sessionStorage.clear());

describe('a half-filled form', () => {
  it('is there again after a reload, each question for itself', () => {
    storeForm(form('a', ['city']), { city: 'Lyon' });
    storeForm(form('b', ['city']), { city: 'Köln', nights: 2 });
    expect(readForms()).toEqual({ a: { city: 'Lyon' }, b: { city: 'Köln', nights: 2 } });
    dropForms({ id: 'a' });
    expect(Object.keys(readForms())).toEqual(['b']);
    dropForms({ except: new Set(['c']) });
    expect(sessionStorage).toHaveLength(0);
  });

  it('never stores what looks secret', () => {
    storeForm(form('a', ['city', 'password', 'apiKey']), {
      city: 'Lyon',
      password: 'canary',
      apiKey: 'canary',
    });
    storeForm(form('b', ['answer'], 'Enter your one-time code'), { answer: 'canary' });
    expect(JSON.stringify(sessionStorage)).not.toContain('canary');
    expect(readForms()).toEqual({ a: { city: 'Lyon' } });
  });

  it('leaves out what is no form of ours', () => {
    for (const [key, text] of Object.entries({ x: '{', y: '[1]', z: 'null', ok: '{}' }))
      sessionStorage.setItem(`cerise.form.${key}`, text);
    expect(readForms()).toEqual({ ok: {} });
  });
});
