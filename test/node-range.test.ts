import { describe, expect, it } from 'vitest';
import { isNodeIn, oldNodeMessage } from '../bin/node-range.cjs';
import { packedManifest } from '../scripts/pack.mjs';

const { engines } = packedManifest({ engines: { node: '>=26.1.0' } });

describe('the versions of Node that the package runs on', () => {
  it.each([
    ['v24.15.0', false],
    ['v24.16.0', true],
    ['v24.21.3', true],
    ['v25.9.0', false],
    ['v26.0.0', false],
    ['v26.1.0', true],
    ['v27.0.0', true],
    ['v20.20.2', false],
  ])('%s: %s', (version, runs) => expect(isNodeIn(engines.node, version)).toBe(runs));

  it('are told in one line', () => {
    expect(oldNodeMessage(engines.node, 'v20.20.2')).toBe(
      'Cerise needs Node 24 (24.16 or newer) or Node 26.1 or newer; this is v20.20.2. Install it from https://nodejs.org and try again.',
    );
  });
});
