import { readServerInput } from '../api/server-input.ts';
import { mapSecrets } from '../api/server-secrets.ts';
import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { withoutRights } from '../vocabulary/field-marks.ts';
import { type ServerConfig, serverConfigSchema } from '../vocabulary/server.ts';

/** A server as it comes in, and the fields that stayed out because they would give it rights. */
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
  const { rest, words } = withoutRightsWords(fields);
  const { value, leftOut } = withoutRights(serverConfigSchema, readServerInput(rest));
  const parsed = serverConfigSchema.safeParse(value).data;
  if (!parsed) throw cannotBeImported(leftOut);
  const config = withoutHiddenReferences(parsed);
  delete config.disabled;
  const names = [...words, ...leftOut];
  if (config.type === 'stdio') return { config, leftOut: names };
  return { config: { ...config, disabled: true }, leftOut: names };
}

/**
 * Values of variables and headers are not shown when a server is approved, so what they say stands for itself there:
 * no variable of the host goes where nobody saw that it does. Its own secrets it may refer to.
 */
function withoutHiddenReferences(config: ServerConfig): ServerConfig {
  return mapSecrets(config, (value, place) =>
    place === 'secrets' || place === 'auth'
      ? value
      : value.replaceAll(/(?<!\$)\$(?=\{(?!secret:))/g, () => '$$'),
  );
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

function withoutRightsWords(fields: object): { rest: object; words: string[] } {
  const isRight = (key: string): boolean =>
    !understood.has(key) && rightsWords.has(key.replaceAll(/[^a-z]/gi, '').toLowerCase());
  const entries = Object.entries(fields);
  const given = entries.filter(([key, value]) => isRight(key) && value !== false && value !== null);
  return {
    rest: Object.fromEntries(entries.filter(([key]) => !isRight(key))),
    words: given.map(([key]) => key),
  };
}

function cannotBeImported(fields: readonly string[]): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('field-import')`${fields.join(', ')}: can't be imported.`,
    { hint: say('field-import-hint')`Add this server yourself if you trust these values.` },
  );
}
