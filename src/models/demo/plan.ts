import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { DemoContext, PlannedCall } from './context.ts';
import { latestListing } from './follow-ups.ts';
import type { Intent } from './intent.ts';
import { dataOf, itemsOf, textOf } from './results.ts';
import { fillArguments, findTool, kindOf, type Offer, type TaskKind } from './tool-match.ts';
import { zoneOf } from './zones.ts';

const maxSizes = 8;

/** The calls of one round, and the intents for which there is no tool. */
export interface Plan {
  calls: PlannedCall[];
  missing: Intent[];
}

/** What to call next for these intents, in their order; nothing when all that was needed is there. */
export function planRound(intents: Intent[], context: DemoContext): Plan {
  const calls: PlannedCall[] = [];
  const missing: Intent[] = [];
  for (const intent of intents) {
    const next = callsFor(intent, context);
    if (next === 'missing') missing.push(intent);
    else calls.push(...next);
  }
  return { calls: calls.filter((call, index) => isFirst(call, index, calls)), missing };
}

function isFirst(call: PlannedCall, index: number, calls: PlannedCall[]): boolean {
  const key = JSON.stringify(call);
  return calls.findIndex((other) => JSON.stringify(other) === key) === index;
}

function callsFor(intent: Intent, context: DemoContext): PlannedCall[] | 'missing' {
  switch (intent.kind) {
    case 'history':
    case 'help':
    case 'again':
      return [];
    case 'pick':
      return callsToPick(intent.position, context);
    case 'size':
      return callsToMeasure(context);
    case 'rank':
      return context.turn.rounds > 0 ? [] : simple({ kind: 'read', path: intent.path }, context);
    case 'append':
      return callsToAppend(intent, context);
    case 'remember':
      return context.turn.rounds > 0 ? callsToAdd(intent.fact, context) : simple(intent, context);
    default:
      return context.turn.rounds > 0 ? [] : simple(intent, context);
  }
}

function simple(intent: Intent, { tools }: DemoContext): PlannedCall[] | 'missing' {
  const kind = taskOf(intent);
  const tool = kind && findTool(kind, tools);
  if (!tool) return 'missing';
  const filled =
    fillArguments(tool.inputSchema, offersFor(intent, tool)) ??
    fillArguments(tool.inputSchema, fallbackOffers(intent));
  return filled ? [{ toolName: tool.name, arguments: filled }] : 'missing';
}

function taskOf(intent: Intent): TaskKind | undefined {
  switch (intent.kind) {
    case 'pick':
    case 'rank':
    case 'append':
      return 'read';
    case 'size':
      return 'list';
    case 'again':
    case 'history':
    case 'help':
      return undefined;
    default:
      return intent.kind;
  }
}

const pathNames = [
  'path',
  'file',
  'file_path',
  'filepath',
  'filename',
  'directory',
  'dir',
  'folder',
  'uri',
];
const zoneNames = ['timezone', 'time_zone', 'timeZone', 'tz', 'zone'];

function offersFor(intent: Intent, tool: ToolDefinition): Offer[] {
  switch (intent.kind) {
    case 'time':
      return intent.place === undefined
        ? []
        : [
            { names: zoneNames, value: zoneOf(intent.place) ?? intent.place },
            { names: ['city', 'location', 'place'], value: intent.place },
          ];
    case 'list':
    case 'read':
      return [{ names: pathNames, value: intent.path }];
    case 'write':
      return [
        { names: ['content', 'contents', 'text', 'data'], value: intent.text },
        { names: pathNames, value: intent.path },
      ];
    case 'fetch':
      return [{ names: ['url', 'uri', 'link', 'address'], value: intent.url }];
    case 'remember':
      return [
        { names: ['fact', 'text', 'content', 'memory', 'note', 'observation'], value: intent.fact },
        { names: ['entities'], value: [entityOf(intent.fact)] },
      ];
    case 'recall':
      return intent.about === undefined || tool.name.endsWith('graph')
        ? []
        : [{ names: ['query', 'about', 'q'], value: intent.about }];
    case 'calculate':
      return [
        {
          names: ['expression', 'expr', 'formula', 'equation', 'input', 'query'],
          value: intent.expression,
        },
      ];
    case 'search':
      return [{ names: ['query', 'q', 'search', 'text'], value: intent.query }];
    default:
      return [];
  }
}

/** What to say where a tool insists on something the question did not tell. */
function fallbackOffers(intent: Intent): Offer[] {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (intent.kind === 'time') return [{ names: zoneNames, value: zone }];
  return intent.kind === 'recall' ? [{ names: ['query', 'q'], value: intent.about ?? '' }] : [];
}

/** A fact as an entity of a knowledge graph: about the user unless it names somebody else. */
function entityOf(fact: string): JsonObject {
  const subject =
    /^(\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)?)\s+(?:is|are|was|has|likes?|loves?|works?|lives?|wants?|prefers?)\b/u.exec(
      fact,
    )?.[1];
  const name = subject && !/^(I|My|The|We|Our|This|That)\b/.test(subject) ? subject : 'user';
  return { name, entityType: name === 'user' ? 'person' : 'subject', observations: [fact] };
}

/** Where the entity was known already nothing was created, so the fact is added to it. */
function callsToAdd(fact: string, { turn, tools }: DemoContext): PlannedCall[] {
  const kinds = turn.calls.map((call) => kindOf(call.toolName, tools));
  const created = turn.calls[kinds.indexOf('remember')];
  const tool = findTool('observe', tools);
  if (!created?.result || created.result.isError || !tool || kinds.includes('observe')) return [];
  if (dataOf(created.result) === undefined || itemsOf(created.result).length > 0) return [];
  const observations: Json = [{ entityName: entityOf(fact)['name'] ?? 'user', contents: [fact] }];
  const filled = fillArguments(tool.inputSchema, [
    { names: ['observations'], value: observations },
  ]);
  return filled ? [{ toolName: tool.name, arguments: filled }] : [];
}

function callsToPick(position: number, context: DemoContext): PlannedCall[] | 'missing' {
  const { turn, tools } = context;
  if (turn.calls.some((call) => kindOf(call.toolName, tools) === 'read')) return [];
  const listing = latestListing(context);
  if (!listing) return turn.rounds > 0 ? [] : simple({ kind: 'list', path: '.' }, context);
  const file = listing.files.at(position);
  return file ? simple({ kind: 'read', path: file.path }, context) : [];
}

/** Reads the file first, so that the line is written like those before it. */
function callsToAppend(
  { path, line }: Extract<Intent, { kind: 'append' }>,
  context: DemoContext,
): PlannedCall[] | 'missing' {
  const { turn, tools } = context;
  if (turn.rounds === 0) return simple({ kind: 'read', path }, context);
  if (turn.calls.some((call) => kindOf(call.toolName, tools) === 'write')) return [];
  const result = turn.calls.find((call) => kindOf(call.toolName, tools) === 'read')?.result;
  if (!result || result.isError) return [];
  const lines = textOf(result).split('\n').filter(Boolean);
  const mark = /^\s*[-*]\s+(?:\[ \]\s+)?/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  const text = `${[...lines, `${mark}${line}`].join('\n')}\n`;
  return simple({ kind: 'write', path, text }, { ...context, turn: { ...turn, rounds: 0 } });
}

/** Sizes come with the listing, or else from asking about each file. */
function callsToMeasure(context: DemoContext): PlannedCall[] | 'missing' {
  const { turn, tools } = context;
  const listing = latestListing(context);
  if (!listing) return turn.rounds > 0 ? [] : simple({ kind: 'list', path: '.' }, context);
  const measured = listing.files.every(({ size }) => size !== undefined);
  const tool = findTool('info', tools);
  if (measured || !tool || turn.calls.some((call) => kindOf(call.toolName, tools) === 'info'))
    return [];
  return listing.files.slice(0, maxSizes).flatMap(({ path }) => {
    const filled = fillArguments(tool.inputSchema, [{ names: pathNames, value: path }]);
    return filled ? [{ toolName: tool.name, arguments: filled }] : [];
  });
}
