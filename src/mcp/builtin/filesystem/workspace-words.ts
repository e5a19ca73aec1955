import { hash } from 'node:crypto';
import { originsFrom, mergeOrigins, type Origin } from '#shared/vocabulary/origin.ts';
import type { ProvenancePort } from '#shared/vocabulary/ports.ts';
import { samples } from './workspace.ts';

const unknown: Origin[] = [{ from: 'unknown' }];

/** The folder of a filesystem server, and who wrote what is in it. */
export interface Workspace {
  folder: string;
  words: WorkspaceWords;
}

/**
 * Who wrote the words in a workspace: contents and names alike, since a model reads both. They are known
 * by what they say, wherever they are moved or copied to; what is not known was written by somebody else.
 */
export class WorkspaceWords {
  readonly #provenance: ProvenancePort;

  constructor(provenance: ProvenancePort) {
    this.#provenance = provenance;
  }

  /** Where the untrusted words in these files came from; empty if there are none. */
  async ofContents(files: readonly { path: string; bytes: Uint8Array }[]): Promise<Origin[]> {
    const keyed = await Promise.all(
      files.map(async ({ path, bytes }) => ({ path, key: await contentKey(bytes) })),
    );
    return this.#ofKeys(keyed);
  }

  /** The same for names that the caller was told: those of these paths which stand below `known`. */
  async ofNames(paths: readonly string[], known = ''): Promise<Origin[]> {
    const said = new Set(segmentsOf(known));
    const keyed = paths.flatMap((path) =>
      segmentsOf(path).flatMap((name) => (said.has(name) ? [] : [{ path, key: nameKey(name) }])),
    );
    return this.#ofKeys(keyed);
  }

  /** Notes who writes a file, before it is written: the content, and the names that lead to it. */
  async note(origins: readonly Origin[], path: string, content?: Uint8Array): Promise<void> {
    await this.#provenance.note(segmentsOf(path).map(nameKey), origins);
    if (content) await this.noteContent(origins, content);
  }

  async noteContent(origins: readonly Origin[], content: Uint8Array): Promise<void> {
    await this.#provenance.note([await contentKey(content)], origins);
  }

  /** Those of the keys whose words are untrusted, with where they came from. */
  async untrusted(keys: readonly string[]): Promise<Map<string, Origin[]>> {
    const shipped = shippedKeys();
    const wanted = keys.filter((key) => !shipped.has(key));
    const known = await this.#provenance.find(wanted);
    const found = wanted.map((key) => [key, known.get(key) ?? unknown] as const);
    return new Map(found.filter(([, origins]) => origins.length > 0));
  }

  async #ofKeys(keyed: readonly { path: string; key: string }[]): Promise<Origin[]> {
    const untrusted = await this.untrusted([...new Set(keyed.map(({ key }) => key))]);
    return mergeOrigins(
      ...keyed.map(({ path, key }) => originsFrom(untrusted.get(key) ?? [], 'files', path)),
    );
  }
}

/** By what the words of a file are known. */
export async function contentKey(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return `content:${Buffer.from(digest).toString('base64url')}`;
}

/** By what a name is known, whatever folder it is in. */
export function nameKey(name: string): string {
  return `name:${hash('sha256', name.toWellFormed(), 'base64url')}`;
}

/** What ships with Cerise is nobody's untrusted words. */
let shippedOnce: ReadonlySet<string> | undefined;
function shippedKeys(): ReadonlySet<string> {
  shippedOnce ??= new Set(
    Object.entries(samples).flatMap(([path, text]) => [
      ...segmentsOf(path).map(nameKey),
      `content:${hash('sha256', text, 'base64url')}`,
    ]),
  );
  return shippedOnce;
}

function segmentsOf(path: string): string[] {
  return path.split(/[/\\]/).filter((name) => name !== '' && name !== '.' && name !== '..');
}
