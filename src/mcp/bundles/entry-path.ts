import { say, type Words } from '#shared/errors/sentence.ts';

/** The deepest folder of a bundle. */
const maxDepth = 40;
const maxPathBytes = 2048;
// oxlint-disable-next-line no-control-regex -- controls are what is looked for
const forbidden = /[\u0000-\u001f\u007f\\:*?"<>|]/;
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Why a path in an archive is refused; undefined if it stays inside its folder on every system. */
export function pathProblem(path: string, maxNameBytes: number): Words | undefined {
  const names = path.replace(/\/$/, '').split('/');
  if (forbidden.test(path)) return say('bundle-path-characters')`it contains forbidden characters`;
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return say('bundle-path-outside')`it points outside the bundle`;
  if (names.some((name) => reserved.test(name) || /[. ]$/.test(name)))
    return say('bundle-path-reserved')`it isn't a valid name on every system`;
  const isLong = names.some((name) => Buffer.byteLength(name) > maxNameBytes);
  if (isLong || names.length > maxDepth || Buffer.byteLength(path) > maxPathBytes)
    return say('bundle-path-long')`it is too long`;
  return undefined;
}

/** Equal for paths that are the same file on a system that ignores case or the form of letters. */
export function foldedPath(path: string): string {
  return path.replace(/\/$/, '').normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
