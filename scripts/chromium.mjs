import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { canInstall, install } from './apt.mjs';

/** Draws the same pages for less than half of the processor time: it has no windows to draw around them. */
const shell = 'chromium-headless-shell';
const names = [
  shell,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

const macApps = ['Chromium', 'Google Chrome', 'Microsoft Edge'];

/** The path of a Chromium on this machine, or undefined. `CERISE_CHROMIUM` names one exactly. */
export function findChromium(env = process.env) {
  if (env.CERISE_CHROMIUM) return isFile(env.CERISE_CHROMIUM) ? env.CERISE_CHROMIUM : undefined;
  return candidates(env).find(isFile);
}

/** Whether there is one, and none that could be had would be quicker. */
export function hasQuickChromium() {
  const found = findChromium();
  if (found === undefined) return false;
  return found.endsWith(shell) || Boolean(process.env.CERISE_CHROMIUM) || !canInstall();
}

/** Installs the package where it can; false where there is none then. */
export async function installChromium() {
  if (!canInstall()) return false;
  await install([shell, 'fonts-noto-cjk'], ['chromium', 'fonts-noto-cjk']);
  return findChromium() !== undefined;
}

function candidates(env) {
  if (process.platform === 'darwin') {
    return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  }
  if (process.platform === 'win32') {
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder
        ? [
            path.join(folder, 'Google/Chrome/Application/chrome.exe'),
            path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ]
        : [],
    );
  }
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

function isFile(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
