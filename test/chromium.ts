import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { findChromium } from '../scripts/chromium.mjs';

/**
 * Whether browser tests can run here, for `describe.skipIf(!hasChromium())`. Without a Chromium it
 * says so in one visible line, and throws when CI is set.
 */
export function hasChromium(): boolean {
  if (findChromium() !== undefined) return true;
  const line = 'no Chromium found; browser tests are SKIPPED (CERISE_CHROMIUM names one)';
  if (process.env['CI']) throw new Error(line);
  console.error(`Cerise: ${line}`);
  return false;
}

let shared: Promise<Browser> | undefined;

/** The one Chromium of this process, which ends with it; the caller closes the contexts it made. */
export async function sharedChromium(): Promise<Browser> {
  const browser = await (shared ??= launchChromium());
  if (browser.isConnected()) return browser;
  return (shared = launchChromium());
}

/** Starts the system's Chromium, headless; the caller closes it. */
export function launchChromium(
  options: Pick<LaunchOptions, 'ignoreDefaultArgs'> = {},
): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium found: ask hasChromium() first.');
  return chromium.launch({
    ...options,
    executablePath,
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}
