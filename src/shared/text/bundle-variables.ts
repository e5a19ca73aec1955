/** What `${…}` in the launch of a bundle stands for: null if it is unset, undefined if it is no variable. */
export type VariableLookup = (name: string) => string | readonly string[] | null | undefined;

/** The parts of a launch that may contain variables. */
interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string | undefined;
}

type Setting = string | number | boolean | readonly string[];

/** A launch from a bundle, with the settings that are known of it. */
interface BundledLaunch extends Launch {
  bundle?:
    | { values: Readonly<Record<string, Setting>>; secrets: Readonly<Record<string, string>> }
    | undefined;
}

const variable = /\$\{([^${}]{1,200})\}/g;
const settingPrefix = 'user_config.';
const wholeVariable = /^\$\{[^${}]{1,200}\}$/;

/**
 * Fills in the variables of a launch, in one pass: what a value contains is never expanded again. A list becomes
 * one argument per value; in a variable it is joined. What refers to an unset value is removed, with the option
 * in front of it (`--name`).
 */
export function expandLaunch(
  { command, args, env, cwd }: Launch,
  lookup: VariableLookup,
  separator: string,
): { command: string; args: string[]; env: Record<string, string>; cwd?: string } {
  const joined = (text: string) => fill(text, lookup, separator);
  const variables = Object.entries(env).filter(([, value]) => !hasUnset(value, lookup));
  return {
    command: joined(command),
    args: expandArguments(args, lookup, separator),
    env: Object.fromEntries(variables.map(([name, value]) => [name, joined(value)])),
    ...(cwd !== undefined && { cwd: joined(cwd) }),
  };
}

/** A launch as a person approves it: with its settings. `${__dirname}` stands for wherever the bundle is unpacked. */
export function displayLaunch(launch: BundledLaunch): ReturnType<typeof expandLaunch> {
  const { bundle } = launch;
  return expandLaunch(launch, bundle ? settingsLookup(bundle) : () => undefined, ', ');
}

/** What `${user_config.…}` stands for; anything else is no setting. */
export function settingsLookup({
  values,
  secrets,
}: NonNullable<BundledLaunch['bundle']>): VariableLookup {
  return (name) => {
    if (!name.startsWith(settingPrefix)) return undefined;
    const key = name.slice(settingPrefix.length);
    const from = Object.hasOwn(secrets, key) ? secrets : values;
    const value = Object.hasOwn(from, key) ? from[key] : undefined;
    if (value === undefined) return null;
    return typeof value === 'object' ? value : String(value);
  };
}

/** The text with its variables filled in. */
export function fill(text: string, lookup: VariableLookup, separator: string): string {
  return text.replaceAll(variable, (whole, name: string) => {
    const value = lookup(name);
    if (value === undefined) return whole;
    return typeof value === 'string' ? value : (value ?? []).join(separator);
  });
}

function expandArguments(
  args: readonly string[],
  lookup: VariableLookup,
  separator: string,
): string[] {
  const expanded: string[] = [];
  for (const [place, arg] of args.entries()) {
    if (hasUnset(arg, lookup)) {
      const before = args[place - 1] ?? '';
      if (wholeVariable.test(arg) && /^--[\w-]+$/.test(before)) expanded.pop();
      continue;
    }
    const list = listIn(arg, lookup);
    if (!list) expanded.push(fill(arg, lookup, separator));
    else
      for (const item of list.values)
        expanded.push(fill(arg, (name) => (name === list.name ? item : lookup(name)), separator));
  }
  return expanded;
}

function listIn(text: string, lookup: VariableLookup) {
  for (const [, name = ''] of text.matchAll(variable)) {
    const value = lookup(name);
    if (Array.isArray(value)) return { name, values: value as string[] };
  }
  return undefined;
}

function hasUnset(text: string, lookup: VariableLookup): boolean {
  return [...text.matchAll(variable)].some(([, name = '']) => {
    const value = lookup(name);
    return value === null || value?.length === 0;
  });
}
