import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { en } from '../../messages/en/en.ts';
import { zh } from '../../messages/zh/zh.ts';
import { checkForm } from './check-form.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';
import { SchemaForm } from './schema-form.tsx';
import { toUnread } from './unread.ts';

function show(
  properties: JsonObject,
  value: JsonObject = {},
  more: JsonObject = {},
  locale: 'en' | 'zh' = 'en',
): string {
  const schema = { type: 'object', properties, ...more };
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      <SchemaForm
        schema={schema}
        value={value}
        onChange={() => undefined}
        errors={checkForm(schema, value)}
      />
    </IntlProvider>,
  );
}

describe('SchemaForm', () => {
  it('labels each field, marks what is required and ties hints and problems to it', () => {
    const html = show(
      { who: { type: 'string', title: 'Who', description: 'A person' } },
      {},
      { required: ['who'] },
    );
    const id = /<label for="([^"]+)"/.exec(html)?.[1] ?? 'none';
    expect(html).toContain(`id="${id}"`);
    expect(html).toContain(`aria-describedby="${id}-hint ${id}-problem"`);
    expect(html).toContain('A person');
    expect(html).toContain(en.form.problems.required);
    expect(show({ who: { type: 'string' } }, {}, { required: ['who'] }, 'zh')).toContain(
      zh.form.problems.required,
    );
  });

  it('shows a value that does not fit its field as JSON instead of changing it', () => {
    const html = show({ n: { type: 'number' } }, { n: 'seven' });
    expect(html).toMatch(/<textarea[^>]*>&quot;seven&quot;<\/textarea>/);
    expect(html).toContain(en.form.problems.number);
    expect(show({ t: { type: 'string' } }, { t: null })).toMatch(/<textarea[^>]*>null<\/textarea>/);
  });

  it('shows what the schema does not know', () => {
    expect(show({}, { hidden: { to: 'you' } })).toMatch(
      /hidden[^]*&quot;to&quot;: &quot;you&quot;/,
    );
  });

  it('keeps the ends of lines of a text and the words of an unread number', () => {
    expect(show({ t: { type: 'string' } }, { t: 'one\ntwo' })).toMatch(/<textarea[^>]*>one\ntwo/);
    expect(show({ n: { type: 'number' } }, { n: toUnread('12a') })).toContain('value="12a"');
  });

  it('offers few required options as buttons and many as a list', () => {
    const few = { size: { enum: ['S', 'M'] } };
    expect(show(few, {}, { required: ['size'] })).toContain('type="radio"');
    expect(show(few)).toContain('<select');
    expect(show({ tags: { type: 'array', items: { enum: ['a', 'b'] } } }, { tags: ['b'] })).toMatch(
      /type="checkbox"[^]*type="checkbox"[^>]*checked/,
    );
  });

  it('shows markup of a server as text', () => {
    const html = show({ x: { type: 'string', title: '<img src=x>', description: '<b>y</b>' } });
    expect(html).not.toContain('<img');
    expect(html).not.toContain('<b>');
  });
});

describe('a moment in the zone of the browser', () => {
  it('comes back as the same moment', () => {
    const local = toLocalTime('2026-07-28T09:30:00+02:00') ?? '';
    expect(fromLocalTime(local)).toBe('2026-07-28T07:30:00Z');
    expect(toLocalTime('soon')).toBeUndefined();
    expect(fromLocalTime('')).toBe('');
  });
});
