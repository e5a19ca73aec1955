import { counted, say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { below, type Check, type Compile, misfit, own, type Run, spend } from './check.ts';
import { guardPattern, type Matcher } from './pattern-guard.ts';

type ObjectCheck = (value: JsonObject, run: Run) => ReturnType<Check>;
type PatternCheck = { matches: Matcher; check: Check };

/** The checks of a schema that look at the properties of an object. What is malformed asks nothing. */
export function objectChecks(schema: JsonObject, compile: Compile): Check[] {
  const patterns = readPatterns(schema, compile);
  const checks = [
    requiredCheck(schema.required),
    propertiesCheck(schema, compile),
    otherPropertiesCheck(schema, patterns, compile),
    sizeCheck(schema),
    namesCheck(schema, compile),
    dependentCheck(schema, compile),
  ];
  return checks
    .filter((check) => check !== undefined)
    .map((check) => (value, run) => (isJsonObject(value) ? check(value, run) : undefined));
}

function requiredCheck(required: unknown): ObjectCheck | undefined {
  if (!Array.isArray(required)) return undefined;
  const names = required.filter((name) => typeof name === 'string');
  return (value, run) => {
    spend(run, names.length);
    for (const name of names) {
      if (own(value, name) === undefined)
        return misfit(say('property-missing')`"${name}" is missing`);
    }
    return undefined;
  };
}

function propertiesCheck(schema: JsonObject, compile: Compile): ObjectCheck | undefined {
  const { properties } = schema;
  if (!isJsonObject(properties)) return undefined;
  const checks = Object.keys(properties).map((name) => ({
    name,
    check: compile(properties[name]),
  }));
  return (value, run) => {
    spend(run, checks.length);
    for (const { name, check } of checks) {
      const item = own(value, name);
      const found = item === undefined ? undefined : check(item, run);
      if (found) return below(name, found);
    }
    return undefined;
  };
}

/** Undefined where a pattern is not safe: it is then unknown which properties are additional ones. */
function readPatterns(schema: JsonObject, compile: Compile): PatternCheck[] | undefined {
  const { patternProperties } = schema;
  if (!isJsonObject(patternProperties)) return [];
  const patterns: PatternCheck[] = [];
  for (const pattern of Object.keys(patternProperties)) {
    const matches = guardPattern(pattern);
    if (!matches) return undefined;
    patterns.push({ matches, check: compile(patternProperties[pattern]) });
  }
  return patterns;
}

/** Properties named by a pattern only, or not at all. */
function otherPropertiesCheck(
  schema: JsonObject,
  patterns: PatternCheck[] | undefined,
  compile: Compile,
): ObjectCheck | undefined {
  const { properties, additionalProperties } = schema;
  if (!patterns || (patterns.length === 0 && additionalProperties === undefined)) return undefined;
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  const additional = additionalProperties === undefined ? undefined : compile(additionalProperties);
  return (value, run) => {
    const names = Object.keys(value);
    spend(run, names.length);
    for (const name of names) {
      let named = known.has(name);
      for (const { matches, check } of patterns) {
        if (!matches(name, run)) continue;
        named = true;
        const found = check(value[name], run);
        if (found) return below(name, found);
      }
      if (named || !additional) continue;
      if (additionalProperties === false)
        return misfit(say('property-unknown')`the property "${name}" isn't allowed`);
      const found = additional(value[name], run);
      if (found) return below(name, found);
    }
    return undefined;
  };
}

function sizeCheck({ minProperties, maxProperties }: JsonObject): ObjectCheck | undefined {
  const least = typeof minProperties === 'number' ? minProperties : 0;
  const most = typeof maxProperties === 'number' ? maxProperties : Infinity;
  if (least <= 0 && most === Infinity) return undefined;
  return (value, run) => {
    const { length } = Object.keys(value);
    spend(run, length);
    if (length < least)
      return misfit(
        say('properties-least')`must have at least ${counted(least, 'property', 'properties')}`,
      );
    return length > most
      ? misfit(say('properties-most')`must have at most ${counted(most, 'property', 'properties')}`)
      : undefined;
  };
}

function namesCheck({ propertyNames }: JsonObject, compile: Compile): ObjectCheck | undefined {
  if (propertyNames === undefined) return undefined;
  const check = compile(propertyNames);
  return (value, run) => {
    for (const name of Object.keys(value)) {
      const found = check(name, run);
      if (found) return misfit(say('property-name')`the name "${name}" ${found.text}`);
    }
    return undefined;
  };
}

function dependentCheck(schema: JsonObject, compile: Compile): ObjectCheck | undefined {
  const { dependentRequired, dependentSchemas } = schema;
  const rules: { name: string; check: Check }[] = [];
  if (isJsonObject(dependentSchemas)) {
    for (const name of Object.keys(dependentSchemas)) {
      rules.push({ name, check: compile(dependentSchemas[name]) });
    }
  }
  if (isJsonObject(dependentRequired)) {
    for (const name of Object.keys(dependentRequired)) {
      rules.push({ name, check: compile({ required: dependentRequired[name] ?? [] }) });
    }
  }
  if (rules.length === 0) return undefined;
  return (value, run) => {
    spend(run, rules.length);
    for (const { name, check } of rules) {
      const found = own(value, name) === undefined ? undefined : check(value, run);
      if (found) return found;
    }
    return undefined;
  };
}
