import { understandsField, readServerInput } from '../api/server-input.ts';
import { mapSecrets } from '../api/server-secrets.ts';
import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { withoutRights } from '../vocabulary/field-marks.ts';
import { type ServerAccess, serverAccessSchema } from '../vocabulary/server/access-schema.ts';
import { type ServerConfig, serverConfigSchema } from '../vocabulary/server.ts';

/** A server as it comes in, and the fields that stayed out: they would give it rights, or mean nothing here. */
export interface ImportedServer {
  config: ServerConfig;
  leftOut: string[];
}

/**
 * The one way of a server out of a file or a link into this host: nothing runs, and nothing is trusted,
 * before a person has looked at it. A command waits for its approval; what is only reached waits to be
 * switched on. Throws `invalid_server`.
 */
export function readImportedServer(fields: object): ImportedServer {
  const { access, fields: others } = withoutAccess(fields);
  const { rest: known, words: unknown } = withoutUnknown(others);
  const { rest, words } = withoutRightsWords(known);
  const { value, leftOut } = withoutRights(serverConfigSchema, readServerInput(rest));
  const parsed = serverConfigSchema.safeParse(value).data;
  if (!parsed) throw cannotBeImported(leftOut);
  const config = withoutHiddenReferences(parsed);
  delete config.disabled;
  const names = [...words, ...leftOut, ...unknown];
  if (config.type === 'stdio')
    return { config: { ...config, ...(access && { access }) }, leftOut: names };
  return { config: { ...config, disabled: true }, leftOut: names };
}

/**
 * An access comes along where it names no folder: it gives no more than a server has that says nothing of it. Folders
 * are those of another machine.
 */
function withoutAccess(fields: object): { access?: ServerAccess; fields: object } {
  const { access, ...others } = fields as { access?: unknown };
  const { data } = serverAccessSchema.safeParse(access);
  if (!data || typeof data.files !== 'string' || !('command' in fields)) return { fields };
  return { access: data, fields: others };
}

/**
 * Values of variables and headers are not shown when a server is approved, so what they say stands for itself there:
 * no variable of the host goes where nobody saw that it does. Its own secrets it may refer to.
 */
function withoutHiddenReferences(config: ServerConfig): ServerConfig {
  return mapSecrets(config, (value, place) =>
    place === 'secrets' || place === 'auth' ? value : withoutReferences(value),
  );
}

/** Refers to nothing but secrets of its own server: `${…}` is what it says. */
export function withoutReferences(text: string): string {
  return text.replaceAll(/(?<!\$)\$(?=\{(?!secret:))/g, () => '$$');
}

/** What hosts call trust, rules and approvals, in small letters without anything between. */
const rightsWords: ReadonlySet<string> = new Set([
  'access',
  'allow',
  'allowall',
  'allowedtools',
  'alwaysallow',
  'approvals',
  'approve',
  'approved',
  'approvedhash',
  'approvedtools',
  'autoallow',
  'autoapprove',
  'autoapproved',
  'autoapprovedtools',
  'disabledautoapprovetools',
  'istrusted',
  'launchhash',
  'permissions',
  'pins',
  'policy',
  'roots',
  'rules',
  'safetorepeat',
  'shared',
  'trust',
  'trusted',
  'trustedat',
  'trustedservers',
]);
/** Words that `readServerInput` understands: their values are judged by what they become. */
const understood: ReadonlySet<string> = new Set(['autoApprove', 'alwaysAllow', 'roots']);

function isRight(key: string): boolean {
  return !understood.has(key) && rightsWords.has(key.replaceAll(/[^a-z]/gi, '').toLowerCase());
}

function withoutRightsWords(fields: object): { rest: object; words: string[] } {
  const entries = Object.entries(fields);
  const given = entries.filter(([key, value]) => isRight(key) && value !== false && value !== null);
  return {
    rest: Object.fromEntries(entries.filter(([key]) => !isRight(key))),
    words: given.map(([key]) => key),
  };
}

/** Hosts have fields of their own: what means nothing here changes nothing, and is told. */
function withoutUnknown(fields: object): { rest: object; words: string[] } {
  const isKept = (key: string): boolean => understandsField(key) || isRight(key);
  const entries = Object.entries(fields);
  const others = entries.filter(([key, value]) => !isKept(key) && !isNothing(value));
  return {
    rest: Object.fromEntries(entries.filter(([key]) => isKept(key))),
    words: others.map(([key]) => key.slice(0, 100)).slice(0, 20),
  };
}

function isNothing(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function cannotBeImported(fields: readonly string[]): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('field-import')`${fields.join(', ')}: can't be imported.`,
    { hint: say('field-import-hint')`Add this server yourself if you trust these values.` },
  );
}
