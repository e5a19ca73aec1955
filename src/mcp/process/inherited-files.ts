import { openSync, readdirSync, readFileSync } from 'node:fs';
import { systemCode } from '#shared/errors/system-code.ts';

const closeOnExec = 0o2000000;
let places: ('ignore' | number)[] | undefined;

/**
 * What to start children with behind their three streams. Everything that Node opens stays with us, but
 * what whoever started us left open would go on to every child: an empty file takes its place there.
 */
export function inheritedFiles(): readonly ('ignore' | number)[] {
  return (places ??= process.platform === 'linux' ? coverInherited() : []);
}

function coverInherited(): ('ignore' | number)[] {
  const limit = softLimit();
  const open = readdirSync('/proc/self/fd').map(Number);
  // Beyond the limit nothing can take a place, and nothing is opened any more.
  const last = Math.max(...open.filter((each) => each < limit && isInherited(each)), 2);
  if (last <= 2) return [];
  const nothing = openSync('/dev/null', 'r');
  return Array.from({ length: last - 2 }, (_, place) =>
    isInherited(place + 3) ? nothing : 'ignore',
  );
}

function softLimit(): number {
  const said = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
  return said ? Number(said[1]) : Number.POSITIVE_INFINITY;
}

function isInherited(descriptor: number): boolean {
  if (descriptor <= 2) return false;
  try {
    const flags = /^flags:\s*(\d+)/m.exec(
      readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'),
    );
    return flags !== null && (Number.parseInt(flags[1] ?? '', 8) & closeOnExec) === 0;
  } catch (error) {
    // Closed since it was listed: the list itself was.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
