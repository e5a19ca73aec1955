import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build } from 'vite';
import { cachedPackage } from '../../test/npm-cache.ts';

/** Renderers of others that Cerise does not depend on; they are installed when first measured. */
const versions = {
  streamdown: '2.7.1',
  'react-markdown': '10.1.0',
  'remark-gfm': '4.0.1',
} as const;
type Package = keyof typeof versions;

const here = import.meta.dirname;
const cache = resolve(here, '../../node_modules/.cache/cerise-bench/ui');
const own = (name: string) => resolve(here, '../../node_modules', name);
const from = (path: string) => JSON.stringify(path);

/** The pages of the peers: their component as its documentation shows it. */
const peers: Record<string, { packages: Package[]; page: string }> = {
  streamdown: {
    packages: ['streamdown'],
    page: `import { Streamdown } from 'streamdown';
      show(({ text }) => createElement(Streamdown, null, text));`,
  },
  'react-markdown': {
    packages: ['react-markdown', 'remark-gfm'],
    page: `import Markdown from 'react-markdown';
      import gfm from 'remark-gfm';
      const plugins = [gfm];
      show(({ text }) => createElement(Markdown, { remarkPlugins: plugins }, text));`,
  },
};

/** The folder in which the built page of a contestant is. */
export function pageFolder(name: string): string {
  return join(cache, name, 'built');
}

/** Builds the pages of all contestants that can be had, on the same frame; gives their names. */
export async function buildPages(): Promise<string[]> {
  const names = ['cerise', 'floor'];
  await buildPage('cerise', `import ${from(join(here, 'cerise.page.tsx'))};`, {});
  await buildPage('floor', `import ${from(join(here, 'floor.page.ts'))};`, {});
  for (const [name, { packages, page }] of Object.entries(peers)) {
    const folders = await Promise.all(packages.map((one) => cachedPackage(one, versions[one])));
    if (folders.includes(undefined)) continue;
    const alias = Object.fromEntries(packages.map((one, at) => [one, folders[at] ?? '']));
    const start = `import { createElement } from 'react';
      import { startPage as show } from ${from(join(here, 'frame.ts'))};`;
    await buildPage(name, `${start}\n${page}`, alias);
    names.push(name);
  }
  return names;
}

/** Every page has the styles of Cerise, so that the frame is the same. */
async function buildPage(name: string, script: string, alias: Record<string, string>) {
  const root = join(cache, name);
  mkdirSync(root, { recursive: true });
  const styles = resolve(here, '../../src/web/app/styles.css');
  writeFileSync(join(root, 'page.js'), `import ${from(styles)};\n${script}`);
  const html =
    '<!doctype html><div id="root"></div><script type="module" src="./page.js"></script>';
  writeFileSync(join(root, 'index.html'), html);
  const react = { react: own('react'), 'react-dom': own('react-dom') };
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [tailwindcss()],
    resolve: { alias: { ...react, ...alias } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: pageFolder(name), emptyOutDir: true, chunkSizeWarningLimit: 10_000 },
  });
  if (!existsSync(join(pageFolder(name), 'index.html'))) throw new Error(`${name} was not built.`);
}
