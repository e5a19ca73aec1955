import { createHash } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { readYaml } from '#shared/import/read-yaml.ts';
import type { McpSkill, ResourceContents } from '../results/types.ts';
import { canonicalJson } from '../schema/canonical-json.ts';

/** A file of a skill, as its server gave it. */
export interface SkillContents {
  uri: string;
  mimeType?: string;
  bytes: Buffer;
  /** False if the server lists no digests: then nobody can know whether it is what was approved. */
  verified: boolean;
}

type Read = (uri: string) => Promise<ResourceContents[]>;

/**
 * Reads the instructions of a skill, which is what loads it: they have to be the bytes that were
 * listed and to say of themselves what the list said. Throws CeriseError otherwise.
 */
export async function loadSkill(skill: McpSkill, read: Read): Promise<SkillContents> {
  const contents = await readSkillFile(skill, skill.uri, read);
  const said = frontmatterOf(contents.bytes.toString());
  if (said === undefined)
    throw refused(skill, say('skill-front-matter')`its front matter can't be read`);
  if (canonicalJson(said) === canonicalJson(skill.frontmatter)) return contents;
  throw refused(
    skill,
    say('skill-otherwise')`its instructions don't match its description in the list of skills`,
  );
}

/** Reads one file of a skill and checks it against the list. */
export async function readSkillFile(
  skill: McpSkill,
  uri: string,
  read: Read,
): Promise<SkillContents> {
  const { files } = skill;
  const listed = files === 'dynamic' ? undefined : files.find((file) => file.uri === uri);
  const inside = listed ?? (files === 'dynamic' && uri.startsWith(folderOf(skill)));
  if (!inside) throw refused(skill, say('skill-not-its-file')`${uri} isn't one of its files`);
  const found = (await read(uri)).find((contents) => contents.uri === uri);
  if (!found) throw refused(skill, say('skill-not-given')`${uri} wasn't returned`);
  const { text, blob, mimeType } = found;
  const bytes = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text);
  if (listed && !isSame(bytes, listed))
    throw refused(skill, say('skill-not-listed')`${uri} doesn't match the list`);
  return { uri, ...(mimeType && { mimeType }), bytes, verified: listed !== undefined };
}

function folderOf({ uri }: McpSkill): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

function isSame(bytes: Buffer, listed: { digest: string; size: number }): boolean {
  if (bytes.length !== listed.size) return false;
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` === listed.digest;
}

/** What stands between the first two lines of three dashes. */
function frontmatterOf(text: string) {
  const match = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text);
  return match ? readYaml(match[1] ?? '') : undefined;
}

function refused({ name }: McpSkill, why: Words): CeriseError {
  return new CeriseError(
    'unreadable_response',
    say('skill-unused')`The skill ${name} wasn't loaded: ${why}.`,
    {
      hint: say(
        'skill-unused-hint',
      )`Reload the list of skills. If that doesn't help, the problem is with its server.`,
    },
  );
}
