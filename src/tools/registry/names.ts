import { createHash } from 'node:crypto';

/** `configured` servers belong to the host, `session` servers live with one conversation. */
export type ServerKind = 'configured' | 'session';

/** What makes a tool this tool and no other. */
export interface ToolIdentity {
  kind: ServerKind;
  serverId: string;
  serverName: string;
  toolName: string;
}

const maxChars = 64;
const digestChars = 10;
const serverChars = 18;

/**
 * The name a model sees: `mcp__server__tool` or `server__tool`. Names that are too long, not of
 * `[A-Za-z0-9_-]` or ambiguous because of their underscores get a digest of the whole identity.
 */
export function modelToolName(kind: ServerKind, serverName: string, toolName: string): string {
  const plain = `${prefixOf(kind)}${serverName}__${toolName}`;
  const clear = isClear(serverName) && isClear(toolName) && plain.length <= maxChars;
  if (clear && /^[A-Za-z_]/.test(plain)) return plain;
  return digestName(kind, serverName, toolName, '');
}

/**
 * Gives every tool its own name, whatever the order of the list. Only tools whose names collide depend
 * on each other: all of them get a digest of their server's id. Nobody gets a reserved name. The map
 * leads back to the tool.
 */
export function assignToolNames<T extends ToolIdentity>(
  tools: readonly T[],
  reserved: ReadonlySet<string> = new Set(),
): Map<string, T> {
  const named = tools.map((tool) => ({
    tool,
    name: modelToolName(tool.kind, tool.serverName, tool.toolName),
  }));
  const uses = Map.groupBy(named, ({ name }) => name);
  const isFree = (name: string): boolean => uses.get(name)?.length === 1 && !reserved.has(name);
  const taken = new Set([...reserved, ...[...uses.keys()].filter(isFree)]);
  const colliding = named.filter(({ name }) => !isFree(name));
  for (const entry of colliding.toSorted(byIdentity)) {
    entry.name = freeName(entry.tool, taken);
    taken.add(entry.name);
  }
  return new Map(named.map(({ name, tool }) => [name, tool]));
}

/** Underscores at the seams or in pairs would make two splits of one name possible. */
function isClear(name: string): boolean {
  return /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/.test(name);
}

function prefixOf(kind: ServerKind): string {
  return kind === 'configured' ? 'mcp__' : '';
}

function freeName(tool: ToolIdentity, taken: ReadonlySet<string>): string {
  for (let turn = 0; ; turn++) {
    const name = digestName(
      tool.kind,
      tool.serverName,
      tool.toolName,
      `${tool.serverId} ${turn === 0 ? '' : turn}`,
    );
    if (!taken.has(name)) return name;
  }
}

function digestName(kind: ServerKind, serverName: string, toolName: string, salt: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([kind, serverName, toolName, salt]))
    .digest('hex')
    .slice(0, digestChars);
  const server = slug(serverName, 'server').slice(0, serverChars);
  const start = `${prefixOf(kind)}${server}__`;
  const legal = /^[A-Za-z_]/.test(start) ? start : `_${start}`;
  const tool = slug(toolName, 'tool').slice(0, maxChars - legal.length - digestChars - 1);
  return `${legal}${tool}_${digest}`;
}

/** What of a name can stand in one that a model sees; where nothing can, what it names. */
function slug(name: string, kind: 'server' | 'tool'): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return letters || kind;
}

function byIdentity(a: { tool: ToolIdentity }, b: { tool: ToolIdentity }): number {
  const left = JSON.stringify([a.tool.serverId, a.tool.kind, a.tool.serverName, a.tool.toolName]);
  const right = JSON.stringify([b.tool.serverId, b.tool.kind, b.tool.serverName, b.tool.toolName]);
  return left < right ? -1 : Number(left > right);
}
