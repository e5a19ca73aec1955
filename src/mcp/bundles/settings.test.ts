import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hiddenSecret } from '#shared/text/text.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { helloBundle, settings } from '../../../test/fixtures/bundles.ts';
import { readBundle } from './read-bundle.ts';
import { settingsForm, settle, startValues } from './settings.ts';

const { manifest } = await readBundle(helloBundle('node', settings), usualLimits);
const desktop = join(homedir(), 'Desktop');

describe('the settings of a bundle', () => {
  it('are a form with the defaults of this machine', () => {
    expect(settingsForm(manifest)).toEqual({
      type: 'object',
      properties: {
        api_key: { type: 'string', format: 'password', title: 'Hello key', description: 'The key' },
        folders: {
          type: 'array',
          items: { type: 'string' },
          title: 'Folders',
          description: 'Some',
          default: [desktop],
        },
        level: {
          type: 'number',
          title: 'Level',
          description: 'A level',
          minimum: 1,
          maximum: 5,
          default: 3,
        },
        prefix: { type: 'string', title: 'Prefix', description: 'Optional' },
      },
      required: ['api_key'],
    });
  });

  it('take defaults, keep secrets apart, and leave out what is empty', () => {
    expect(settle(manifest, { api_key: 'k', prefix: '' })).toEqual({
      values: { folders: [desktop], level: 3 },
      secrets: { api_key: 'k' },
    });
    expect(settle(manifest, { api_key: 'k', folders: null, level: null })).toEqual({
      values: {},
      secrets: { api_key: 'k' },
    });
  });

  it('are refused where they do not fit', () => {
    const wrong: object[] = [
      {},
      { api_key: null },
      { api_key: 'k', level: 9 },
      { api_key: 'k', level: 'x' },
      { api_key: 'k', folders: 'x' },
      { api_key: 'k', other: 'x' },
      { api_key: 'k', __proto__: 'x', constructor: 'x' },
    ];
    for (const values of wrong)
      expect(() => settle(manifest, values as never)).toThrow(
        expect.objectContaining({ code: 'invalid_bundle' }),
      );
  });

  it('keep stored values that still fit, and a secret only where it stays one', () => {
    const stored = {
      values: { level: 9, prefix: 'p', gone: 1 },
      secrets: { api_key: 'old', x: 'y' },
    };
    expect(settle(manifest, { api_key: hiddenSecret }, stored)).toEqual({
      values: { folders: [desktop], level: 3, prefix: 'p' },
      secrets: { api_key: 'old' },
    });
    expect(startValues(manifest, stored)).toEqual({
      api_key: hiddenSecret,
      folders: [desktop],
      level: 3,
      prefix: 'p',
    });
    const open = structuredClone(manifest);
    delete open.user_config.api_key?.sensitive;
    delete open.user_config.api_key?.required;
    expect(settle(open, {}, stored).values).not.toHaveProperty('api_key');
  });
});
