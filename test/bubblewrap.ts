import { hasBubblewrap } from '../scripts/bubblewrap.mjs';

let works: boolean | undefined;

/**
 * Whether processes can be confined here, for `describe.skipIf(!canConfine())`. Where they cannot it says
 * so in one visible line, and throws when CI is set.
 */
export function canConfine(): boolean {
  works ??= hasBubblewrap();
  if (works) return true;
  const line = 'no bubblewrap that works; tests of the sandbox are SKIPPED';
  if (process.env['CI']) throw new Error(line);
  console.error(`Cerise: ${line}`);
  return false;
}
