import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ListKind } from './pages.ts';
import { readMeta, readName, readText } from './read-json.ts';
import type { McpSkill, SkillFile } from './types.ts';

const maxAddressChars = 8192;
const maxDescriptionChars = 64 * 1024;
const maxFiles = 512;
const maxSkillBytes = 16 * 1024 * 1024;
const legalName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const legalDigest = /^sha256:[0-9a-f]{64}$/;

/** The skills of a server. An entry that could not be checked when it is loaded is left out. */
export const skillList: ListKind<McpSkill> = {
  method: 'skills/list',
  field: 'skills',
  key: ({ uri }) => uri,
  read(entry, note) {
    const skill = isJsonObject(entry) ? readSkill(entry) : 'it is no object';
    if (typeof skill !== 'string') return skill;
    note(`A skill was left out: ${skill}.`);
    return undefined;
  },
};

/** The skill, or why it is none. */
function readSkill(entry: JsonObject): McpSkill | string {
  const uri = readName(entry.uri, maxAddressChars);
  const folder = /^(.+\/([^/]+)\/)SKILL\.md$/.exec(uri ?? '');
  if (uri === undefined || !folder) return 'its address does not end in /SKILL.md';
  const frontmatter = readMeta(entry.frontmatter);
  const name = folder[2] ?? '';
  if (!frontmatter || frontmatter.name !== name || !legalName.test(name)) {
    return `the name of ${uri} is not that of its folder, or not a legal one`;
  }
  const description = readText(frontmatter.description, maxDescriptionChars);
  if (!description) return `${uri} has no description`;
  const files = readFiles(entry.resources, uri, folder[1] ?? '');
  if (files === undefined) return `the list of files of ${uri} cannot be used`;
  return { uri, name, description, frontmatter, files };
}

function readFiles(value: unknown, uri: string, folder: string): McpSkill['files'] | undefined {
  if (value === 'dynamic') return value;
  if (!Array.isArray(value) || value.length > maxFiles) return undefined;
  const files = value.flatMap((entry) => readFile(entry, folder));
  const addresses = new Set(files.map((file) => file.uri));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const whole = files.length === value.length && addresses.size === files.length;
  return whole && addresses.has(uri) && total <= maxSkillBytes ? files : undefined;
}

function readFile(entry: unknown, folder: string): SkillFile[] {
  if (!isJsonObject(entry)) return [];
  const { digest, size } = entry;
  const uri = readName(entry.uri, maxAddressChars);
  if (uri === undefined || !isInside(uri, folder)) return [];
  if (typeof digest !== 'string' || !legalDigest.test(digest)) return [];
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return [];
  return [{ uri, digest, size }];
}

function isInside(uri: string, folder: string): boolean {
  if (!uri.startsWith(folder)) return false;
  const path = uri.slice(folder.length).split('/');
  return path.every((part) => part !== '' && part !== '.' && part !== '..');
}
