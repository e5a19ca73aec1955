import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Why a field is an admin's to set. Two of them depend on the value: an address may be public, and a
 * vendor may run elsewhere.
 */
export type AdminMark =
  | 'command'
  | 'host-file'
  | 'host-reach'
  | 'own-address'
  | 'private-address'
  | 'local-vendor'
  | 'trust'
  | 'key-trust'
  | 'sharing';

/** Two marks stand in the schemas, and so in the OpenAPI document as well. */
const adminKey = 'x-admin-only';
const stayKey = 'x-not-imported';

/** Marks a field that only admins may set. Code that accepts such a field calls `assertMaySet`. */
export function adminOnly<T extends z.ZodType>(schema: T, why: AdminMark): T {
  return schema.meta({ ...schema.meta(), [adminKey]: why });
}

/** Marks a field that no import brings along: it gives rights, or names files of another machine. */
export function notImported<T extends z.ZodType>(schema: T): T {
  return schema.meta({ ...schema.meta(), [stayKey]: true });
}

/** A marked field that is set. */
export interface MarkedField {
  path: (string | number)[];
  value: unknown;
  adminOnly?: AdminMark;
  notImported: boolean;
}

/**
 * Every marked field that a value sets. What is empty or false sets nothing: it is how a client says
 * that a field is not wanted.
 */
export function markedFields(schema: z.core.$ZodType, value: unknown): MarkedField[] {
  return [...walk(schema, value, [])];
}

/** The value without the fields that are never imported, and the names of those it had. */
export function withoutRights<T extends object>(
  schema: z.core.$ZodType,
  value: T,
): { value: T; leftOut: string[] } {
  const found = markedFields(schema, value).filter((field) => field.notImported);
  const rest = structuredClone(value);
  for (const { path } of found) removeAt(rest, path);
  return { value: rest, leftOut: found.map(fieldName) };
}

/** A field as people write it. */
export function fieldName({ path }: Pick<MarkedField, 'path'>): string {
  return path.join('.');
}

function* walk(
  schema: z.core.$ZodType,
  value: unknown,
  path: (string | number)[],
): Generator<MarkedField> {
  if (!isSet(value)) return;
  const { [adminKey]: why, [stayKey]: stays } = z.globalRegistry.get(schema) ?? {};
  if (why !== undefined || stays === true)
    yield {
      path,
      value,
      ...(why !== undefined && { adminOnly: why as AdminMark }),
      notImported: stays === true,
    };
  for (const [part, inner, key] of partsOf(schema, value))
    yield* walk(part, inner, key === undefined ? path : [...path, key]);
}

type Part = [schema: z.core.$ZodType, value: unknown, key?: string | number];

/** What a value is made of by its schema, each with the schema that it has to meet. */
function partsOf(schema: z.core.$ZodType, value: unknown): Part[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]): Part[] =>
        isJsonObject(value) && Object.hasOwn(value, key) ? [[part, value[key], key]] : [],
      );
    case 'record':
      return isJsonObject(value)
        ? Object.entries(value).map(([key, inner]): Part => [def.valueType, inner, key])
        : [];
    case 'array':
      return Array.isArray(value) ? value.map((inner, key): Part => [def.element, inner, key]) : [];
    case 'union':
      return fitting(def.options, value).map((option): Part => [option, value]);
    case 'intersection':
      return [
        [def.left, value],
        [def.right, value],
      ];
    case 'pipe':
      return [
        [def.in, value],
        [def.out, value],
      ];
    case 'lazy':
      return [[def.getter(), value]];
    default:
      return 'innerType' in def ? [[def.innerType, value]] : [];
  }
}

/** The options of a union that a value meets; where it meets none, any of them may be meant. */
function fitting(options: readonly z.core.$ZodType[], value: unknown): readonly z.core.$ZodType[] {
  const met = options.filter((option) => z.safeParse(option, value).success);
  return met.length > 0 ? met : options;
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function removeAt(value: unknown, path: readonly (string | number)[]): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return;
  if (rest.length > 0) return removeAt((value as JsonObject)[key], rest);
  delete (value as JsonObject)[key];
}
