import { decodePercent } from '#shared/text/decode-percent.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';

/** Below these stand schemas by names of somebody's choice, and below those data. */
const maps = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
);
const data = new Set(['const', 'enum', 'default', 'examples']);
/** What a schema without an `$id` is called, so that relative ones have something to begin with. */
const nowhere = 'schema://unnamed/';

/** Nobody uses what is nested deeper, so it is not looked at. */
const deepest = 200;

/** What stands at a place in a schema: a schema, schemas by name, or data. */
export type Kind = 'schema' | 'map' | 'data';

interface Names {
  /** The address of the whole schema. */
  readonly root: string;
  /** JSON pointers by address, and by address and anchor. */
  readonly places: Map<string, string>;
  /** How deep the walk is at the moment. */
  depth: number;
}

/**
 * The same schema with its own references as pointers from its root: those to an `$id` in it, absolute
 * or relative, and to an `$anchor`; of dynamic ones the root is preferred, which is always in scope.
 * Nothing is loaded: what points elsewhere stays. One without such names comes back itself.
 */
export function localReferences(schema: JsonObject): JsonObject {
  const root = baseOf(schema, nowhere);
  const names: Names = { root, places: new Map([[nowhere, '#']]), depth: 0 };
  note(schema, 'schema', '#', nowhere, names);
  if (names.places.size === 1) return schema;
  return write(schema, 'schema', nowhere, names) as JsonObject;
}

/** What stands below a keyword, or below a name in a map. */
export function kindBelow(kind: Kind, key: string): Kind {
  if (kind === 'map') return 'schema';
  if (data.has(key)) return 'data';
  return maps.has(key) ? 'map' : 'schema';
}

function note(value: unknown, kind: Kind, pointer: string, base: string, names: Names): void {
  if (kind === 'data' || typeof value !== 'object' || value === null) return;
  if (names.depth > deepest) return;
  let own = base;
  if (kind === 'schema' && isJsonObject(value)) {
    own = baseOf(value, base);
    if (own !== base) names.places.set(own, pointer);
    for (const anchor of anchorsOf(value)) names.places.set(`${own}#${anchor}`, pointer);
  }
  names.depth += 1;
  for (const [key, inner] of Object.entries(value)) {
    const below = Array.isArray(value) ? kind : kindBelow(kind, key);
    note(inner, below, `${pointer}/${escape(key)}`, own, names);
  }
  names.depth -= 1;
}

function write(value: Json, kind: Kind, base: string, names: Names): Json {
  if (kind === 'data' || typeof value !== 'object' || value === null) return value;
  if (names.depth > deepest) return value;
  names.depth += 1;
  const written = Array.isArray(value)
    ? value.map((inner) => write(inner, kind, base, names))
    : writeObject(value, kind, base, names);
  names.depth -= 1;
  return written;
}

function writeObject(value: JsonObject, kind: Kind, base: string, names: Names): JsonObject {
  const isSchema = kind === 'schema';
  const own = isSchema ? baseOf(value, base) : base;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    if (isSchema && typeof inner === 'string') {
      if (key === '$id' || key === '$anchor' || key === '$dynamicAnchor') return [];
      if (key === '$ref') return [[key, toPointer(inner, own, names) ?? inner]];
      const dynamic = key === '$dynamicRef' && value.$ref === undefined;
      const pointer = dynamic ? dynamicPointer(inner, own, names) : undefined;
      if (pointer !== undefined) return [['$ref', pointer]];
    }
    return [[key, write(inner, kindBelow(kind, key), own, names)]];
  });
  return Object.fromEntries(entries);
}

/** The reference as a pointer; undefined where it leads to nothing that was noted. */
function toPointer(reference: string, base: string, { places }: Names): string | undefined {
  const [address = '', fragment = ''] = reference.split('#', 2);
  const target = address === '' ? base : resolve(address, base);
  if (fragment !== '' && !fragment.startsWith('/')) {
    return places.get(`${target}#${decodePercent(fragment)}`);
  }
  const place = places.get(target);
  return place === undefined ? undefined : place + fragment;
}

function dynamicPointer(reference: string, base: string, names: Names): string | undefined {
  const fragment = reference.slice(reference.indexOf('#'));
  return toPointer(fragment, names.root, names) ?? toPointer(reference, base, names);
}

/** The address of a schema; an `$id` that is only a fragment is an anchor, as older drafts write it. */
function baseOf({ $id }: JsonObject, base: string): string {
  if (typeof $id !== 'string' || $id.startsWith('#')) return base;
  return resolve($id.split('#', 1)[0] ?? '', base);
}

function anchorsOf({ $id, $anchor, $dynamicAnchor }: JsonObject): string[] {
  const old = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined;
  return [old, $anchor, $dynamicAnchor].filter((name) => typeof name === 'string');
}

function resolve(address: string, base: string): string {
  return URL.parse(address, base)?.href ?? address;
}

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
}
