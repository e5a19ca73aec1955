import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { VendorInfo } from '#shared/vocabulary/model.ts';
import { en } from '../../../messages/en/en.ts';
import { VendorList } from './vendor-list.tsx';

const { settings } = en;
const baseUrl = 'https://vendor.example/v1';
const vendors: VendorInfo[] = [
  { kind: 'anthropic', label: 'Anthropic', group: 'popular', local: false, baseUrl },
  { kind: 'azure', label: 'Azure OpenAI', group: 'international', local: false },
  { kind: 'openai-compatible', label: 'OpenAI-compatible', group: 'other', local: false },
  { kind: 'together', label: 'Together', group: 'international', local: false, baseUrl },
  { kind: 'zhipu', label: '智谱', group: 'china', local: false, baseUrl },
  { kind: 'scaleway', label: 'Scaleway', group: 'europe', local: false, baseUrl },
  { kind: 'ollama', label: 'Ollama', group: 'local', local: true, baseUrl },
];

function drawn(isAdmin: boolean): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <VendorList vendors={vendors} isAdmin={isAdmin} onChoose={() => undefined} />
    </IntlProvider>,
  );
}

describe('the vendors to choose from', () => {
  it('stand in groups, the popular ones first and any other service last, each once', () => {
    const html = drawn(true);
    const headings = [
      settings.vendorsPopular,
      settings.vendorsLocal,
      settings.vendorsInternational,
      settings.vendorsEurope,
      settings.vendorsChina,
      settings.vendorsOther,
    ];
    const places = headings.map((heading) => html.indexOf(`>${heading}</h3>`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(html.match(/<button/g)).toHaveLength(vendors.length);
    expect(html.lastIndexOf('<button')).toBeLessThan(html.indexOf(settings.providerKindOther));
  });

  it('are, for somebody who is no admin, those whose address is known and elsewhere', () => {
    const html = drawn(false);
    expect(html).toContain('Anthropic');
    for (const heading of [settings.vendorsLocal, settings.vendorsOther])
      expect(html).not.toContain(`>${heading}</h3>`);
    for (const label of ['Ollama<', 'Azure OpenAI', settings.providerKindOther])
      expect(html).not.toContain(label);
  });
});
