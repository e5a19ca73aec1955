import { hiddenSecret } from '#shared/text/text.ts';
import { fullAccess, isNarrower, type ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig, ServerFix } from '#shared/vocabulary/server.ts';
import { changedFields } from '../../../features/form/changed-fields.ts';
import { readLines } from '../../../features/form/read-lines.ts';

/** A variable or a header as it is typed. A stored value is not known here and stays as it is. */
export interface PairRow {
  key: string;
  name: string;
  value: string;
  stored: boolean;
}

/** A folder that a server may use, as it is typed. */
export interface FolderRow {
  key: string;
  path: string;
  write: boolean;
}

/** What is typed about a server, as it is typed. */
export interface ServerForm {
  name: string;
  type: 'stdio' | 'streamableHttp' | 'sse';
  command: string;
  args: string;
  env: PairRow[];
  cwd: string;
  files: 'everything' | 'folders' | 'own';
  folders: FolderRow[];
  network: boolean;
  baseUrl: string;
  headers: PairRow[];
  /** What `${secret:NAME}` in the other fields stands for. */
  secrets: PairRow[];
  description: string;
  /** Separated by commas. */
  tags: string;
  /** An image as a data URL, or nothing. */
  logo: string;
  /** Folders, one in a line. */
  roots: string;
  /** Whether programs tell it their folders in the place of `roots`. */
  callerRoots: boolean;
  registryUrl: string;
  /** Seconds; empty means the usual time. */
  timeout: string;
  startTimeout: string;
  totalTimeout: string;
  /** Whether the timeout counts from the last progress. */
  longRunning: boolean;
  /** Whether everybody on the host may use it; absent where that is not theirs to say. */
  shared?: boolean;
}

/** What a form for a new server begins with. */
const emptyForm: ServerForm = {
  name: '',
  type: 'stdio',
  command: '',
  args: '',
  env: [],
  cwd: '',
  files: 'everything',
  folders: [],
  network: true,
  baseUrl: '',
  headers: [],
  secrets: [],
  description: '',
  tags: '',
  logo: '',
  roots: '',
  callerRoots: false,
  registryUrl: '',
  timeout: '',
  startTimeout: '',
  totalTimeout: '',
  longRunning: false,
};

/** The same for somebody: only admins add commands, and what they add is everybody's unless they say. */
export function formFor(isAdmin: boolean): ServerForm {
  return isAdmin ? { ...emptyForm, shared: true } : { ...emptyForm, type: 'streamableHttp' };
}

/** The form of a server that is there. */
export function formOf(config: ServerConfig, shared?: boolean): ServerForm {
  const { name, timeout, totalTimeout, longRunning = false, description = '' } = config;
  const common = {
    ...emptyForm,
    name,
    description,
    tags: config.tags?.join(', ') ?? '',
    logo: config.logo ?? '',
    roots: config.roots?.join('\n') ?? '',
    callerRoots: config.callerRoots ?? false,
    timeout: secondsText(timeout),
    totalTimeout: secondsText(totalTimeout),
    longRunning,
    ...(shared !== undefined && { shared }),
  };
  if (config.type === 'inMemory') return common;
  if (config.type === 'stdio') {
    const { type, command, args, env, cwd = '', registryUrl = '', secrets = {} } = config;
    const startTimeout = secondsText(config.startTimeout);
    const own = { type, command, args: args.join('\n'), env: rowsOf(env), cwd, startTimeout };
    const rest = { secrets: rowsOf(secrets), registryUrl, ...accessRows(config.access) };
    return { ...common, ...own, ...rest };
  }
  const { type, baseUrl, headers = {}, secrets = {} } = config;
  return { ...common, type, baseUrl, headers: rowsOf(headers), secrets: rowsOf(secrets) };
}

/** The config that a form describes; null stands for what an edit takes away. */
export function configOf(form: ServerForm): Record<string, unknown> & { type: string } {
  const { type, shared, longRunning } = form;
  const secrets = pairsOf(form.secrets);
  const tags = form.tags.split(',').flatMap((tag) => tag.trim() || []);
  const roots = readLines(form.roots);
  const common = {
    type,
    name: form.name.trim(),
    description: form.description.trim() || null,
    tags: tags.length > 0 ? tags : null,
    logo: form.logo || null,
    roots: roots.length > 0 ? roots : null,
    callerRoots: form.callerRoots || null,
    secrets: Object.keys(secrets).length > 0 ? secrets : null,
    timeout: secondsOf(form.timeout),
    totalTimeout: longRunning ? secondsOf(form.totalTimeout) : null,
    longRunning: longRunning || null,
    ...(shared !== undefined && { shared }),
  };
  if (form.type === 'stdio') {
    return {
      ...common,
      command: form.command.trim(),
      args: readLines(form.args),
      env: pairsOf(form.env),
      cwd: form.cwd.trim() || null,
      access: accessOf(form) ?? null,
      registryUrl: form.registryUrl.trim() || null,
      startTimeout: secondsOf(form.startTimeout),
    };
  }
  return { ...common, baseUrl: form.baseUrl.trim(), headers: pairsOf(form.headers) };
}

/** A form with a change made that would help; the value of a new variable is left to fill in. */
export function withFix(form: ServerForm, fix: ServerFix): ServerForm {
  const add = (rows: PairRow[], name: string): PairRow[] =>
    rows.some((row) => row.name === name)
      ? rows
      : [...rows, { key: `fix ${name}`, name, value: '', stored: false }];
  switch (fix.kind) {
    case 'variable':
      return { ...form, env: add(form.env, fix.name) };
    case 'secret':
      return { ...form, secrets: add(form.secrets, fix.name) };
    case 'header':
      return { ...form, headers: add(form.headers, fix.name) };
    case 'argument': {
      const args = form.args.split('\n').map((word) => (word === fix.from ? fix.to : word));
      return { ...form, args: args.join('\n') };
    }
    case 'network':
      return { ...form, network: true };
    case 'address':
      return form;
  }
}

/** What an edit changed: the fields that now say something else, and no others. */
export function changesOf(before: ServerForm, after: ServerForm): Record<string, unknown> {
  return changedFields<Record<string, unknown>>(configOf(before), configOf(after));
}

/** The same to be sent: variables and headers go as a whole, so each is changed in those of now. */
export function changesIn(
  present: ServerConfig,
  before: ServerForm,
  after: ServerForm,
): Record<string, unknown> {
  const changes = changesOf(before, after);
  const now = formOf(present);
  for (const part of ['env', 'headers', 'secrets'] as const) {
    if (!Object.hasOwn(changes, part) || changes[part] === null) continue;
    const [old, next] = [pairsOf(before[part]), pairsOf(after[part])];
    const kept = Object.entries(pairsOf(now[part])).filter(
      ([name]) => Object.hasOwn(next, name) || !Object.hasOwn(old, name),
    );
    changes[part] = { ...Object.fromEntries(kept), ...changedFields(old, next) };
  }
  return changes;
}

/** Fields that decide what is run or reached. */
const launch = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'registryUrl',
  'secrets',
  'baseUrl',
  'headers',
];

/** Whether a change decides anew what is run or reached, so that it has to be approved again. */
export function changesLaunch(changes: Record<string, unknown>): boolean {
  return launch.some((name) => Object.hasOwn(changes, name));
}

/** Whether an edit gives a command access that it did not have. */
export function widensAccess(before: ServerForm, after: ServerForm): boolean {
  return !isNarrower(accessOf(after), accessOf(before));
}

/** The folders that the arguments name: what a server is most likely to need. */
export function namedFolders({ args }: Pick<ServerForm, 'args'>): FolderRow[] {
  const paths = readLines(args).filter((line) => line.startsWith('/'));
  return (paths.length > 0 ? paths : ['']).map((path, place) => ({
    key: String(place),
    path,
    write: false,
  }));
}

/** Undefined for full access. A choice of folders without any is that of the own one. */
function accessOf({ files, folders, network }: ServerForm): ServerAccess | undefined {
  if (files === 'everything') return network ? undefined : { files, network };
  const chosen = folders.filter(({ path }) => path.trim() !== '');
  if (files === 'own' || chosen.length === 0) return { files: 'own', network };
  const named = chosen.map(({ path, write }) => ({ path: path.trim(), ...(write && { write }) }));
  return { files: { folders: named }, network };
}

function accessRows(
  access: ServerAccess = fullAccess,
): Pick<ServerForm, 'files' | 'folders' | 'network'> {
  const { files, network } = access;
  if (typeof files === 'string') return { files, folders: [], network };
  const folders = files.folders.map(({ path, write }) => ({
    key: path,
    path,
    write: write === true,
  }));
  return { files: 'folders', folders, network };
}

function secondsText(seconds: number | undefined): string {
  return seconds === undefined ? '' : String(seconds);
}

function secondsOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

function rowsOf(values: Record<string, string>): PairRow[] {
  return Object.keys(values).map((name) => ({ key: name, name, value: '', stored: true }));
}

function pairsOf(rows: PairRow[]): Record<string, string> {
  const named = rows.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(
    named.map(({ name, value, stored }) => [name.trim(), stored ? hiddenSecret : value]),
  );
}
