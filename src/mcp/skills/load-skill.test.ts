import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { skillList } from '../results/read-skills.ts';
import type { McpSkill } from '../results/types.ts';
import { loadSkill, readSkillFile } from './load-skill.ts';

const uri = 'skill://docs/pdf/SKILL.md';
const picture = 'skill://docs/pdf/logo.png';
const text = '---\nname: pdf\ndescription: Reads PDFs\n---\nDo it so.\n';
const bytes = Buffer.from([0, 255, 1]);

function listed(content: string | Buffer, address: string) {
  const data = Buffer.from(content);
  const digest = `sha256:${createHash('sha256').update(data).digest('hex')}`;
  return { uri: address, digest, size: data.length };
}

const entry = {
  uri,
  frontmatter: { description: 'Reads PDFs', name: 'pdf' },
  resources: [listed(text, uri), listed(bytes, picture)],
};

function read(skill: object): McpSkill | undefined {
  return skillList.read(skill, () => undefined);
}
const skill = read(entry)!;

describe('loading a skill', () => {
  it('gives the instructions that were listed', async () => {
    const loaded = await loadSkill(skill, async () => [{ uri, text, mimeType: 'text/markdown' }]);
    expect(loaded).toMatchObject({ uri, verified: true, mimeType: 'text/markdown' });
    expect(loaded.bytes.toString()).toBe(text);
  });

  it('gives other files as bytes', async () => {
    const blob = bytes.toString('base64');
    const file = await readSkillFile(skill, picture, async () => [{ uri: picture, blob }]);
    expect(file.bytes).toEqual(bytes);
  });

  it.each([
    ['of the same length', text.replace('Do it', 'Eat it'.slice(0, 5))],
    ['of another length', `${text}more`],
  ])('refuses other bytes %s', async (_what, other) => {
    await expect(loadSkill(skill, async () => [{ uri, text: other }])).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });

  it('refuses instructions that describe themselves otherwise, though the digest is right', async () => {
    const other = text.replace('Reads PDFs', 'Sends mail');
    const lying = read({ ...entry, resources: [listed(other, uri)] })!;
    await expect(loadSkill(lying, async () => [{ uri, text: other }])).rejects.toThrow(
      'match its description',
    );
    const nameless = read({ ...entry, resources: [listed('no front matter', uri)] })!;
    const given = async () => [{ uri, text: 'no front matter' }];
    await expect(loadSkill(nameless, given)).rejects.toThrow('front matter');
  });

  it('asks for no file that is not one of the skill', async () => {
    const asked: string[] = [];
    const spy = async (address: string) => {
      asked.push(address);
      return [];
    };
    const foreign = 'skill://docs/other/key.txt';
    await expect(readSkillFile(skill, foreign, spy)).rejects.toThrow("isn't one of its files");
    const dynamic = read({ ...entry, resources: 'dynamic' })!;
    await expect(readSkillFile(dynamic, foreign, spy)).rejects.toThrow("isn't one of its files");
    expect(asked).toEqual([]);
  });

  it('says that files without digests were not checked', async () => {
    const dynamic = read({ ...entry, resources: 'dynamic' })!;
    expect((await loadSkill(dynamic, async () => [{ uri, text }])).verified).toBe(false);
  });
});

describe('the list of skills', () => {
  it.each([
    ['an address that is no SKILL.md', { uri: 'skill://docs/pdf/README.md' }],
    ['a name that is not its folder', { frontmatter: { name: 'other', description: 'x' } }],
    ['no description', { frontmatter: { name: 'pdf' } }],
    ['no list of files', { resources: undefined }],
    ['a list without its SKILL.md', { resources: [listed(bytes, picture)] }],
    ['a file listed twice', { resources: [...entry.resources, listed(bytes, picture)] }],
    ['a file outside', { resources: [...entry.resources, listed('x', 'skill://docs/x')] }],
    ['a way out', { resources: [...entry.resources, listed('x', 'skill://docs/pdf/../x')] }],
    ['a bad digest', { resources: [{ uri, digest: 'sha256:00', size: 1 }] }],
    ['a bad size', { resources: [{ ...listed(text, uri), size: -1 }] }],
    ['more than 16 MiB', { resources: [{ ...listed(text, uri), size: 2 ** 25 }] }],
  ])('leaves out a skill with %s', (_what, change) => {
    expect(read({ ...entry, ...change })).toBeUndefined();
  });
});
