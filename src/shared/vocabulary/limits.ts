const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** What a number counts. */
export type LimitUnit = 'bytes' | 'ms' | 'count';

/** One limit: what ships, what it may be set to, and what it is for. */
export interface LimitSpec {
  unit: LimitUnit;
  usual: number;
  least: number;
  most: number;
  about: string;
}

function bytes(usual: number, about: string, least = KiB, most = 4 * GiB): LimitSpec {
  return { unit: 'bytes', usual, least, most, about };
}

/** A timer takes no more than 24 days and a bit: a longer time would be over at once. */
function time(usual: number, about: string, least = 1, most = 24 * 24 * hours): LimitSpec {
  return { unit: 'ms', usual, least, most, about };
}

function count(usual: number, about: string, least = 1, most = 1_000_000): LimitSpec {
  return { unit: 'count', usual, least, most, about };
}

/** Every limit that can be set; docs/operating.md lists them, and a test compares. */
export const limitSpecs = {
  connections: count(2000, 'Connections to this host, event streams included', 10),
  connectionsPerAddress: count(
    200,
    'Connections of one address on which nobody is signed in; trusted proxies have no such limit',
  ),
  headerTime: time(15 * seconds, 'Until the headers of a request are in', 100, hours),
  bodyIdleTime: time(30 * seconds, 'Without a byte of the body of a request', 100, hours),
  strangerRequestTime: time(
    minutes,
    'Until a whole request is in, where nobody is signed in',
    100,
    hours,
  ),
  requestTime: time(hours, 'Until a whole request is in', 100, 24 * hours),
  httpBody: bytes(MiB, 'A JSON request'),
  messageText: bytes(512 * KiB, 'The text of a message'),
  mcpMessage: bytes(8 * MiB, 'One message of an MCP server', 64 * KiB, 256 * MiB),
  resultToModel: bytes(64 * KiB, 'The text of a tool result that a model gets at once'),
  storedResult: bytes(16 * MiB, 'A tool result', KiB, 256 * MiB),
  inlineMedia: bytes(16 * KiB, 'Media that are kept in their block; larger ones become files'),
  file: bytes(40 * MiB, 'An uploaded file'),
  filesPerMessage: count(20, 'Files in one message', 1, 1000),
  imageToModel: bytes(5 * MiB, 'An image that a model gets'),
  mediaPerResult: count(8, 'Images and sounds of one tool result that a model gets', 0, 1000),
  mediaPerRequest: bytes(16 * MiB, 'All media in one request to a model'),
  unsentFileTime: time(
    24 * hours,
    'How long an uploaded file is kept that no message uses',
    minutes,
    30 * 24 * hours,
  ),
  undoTime: time(
    minutes,
    'How long a deleted conversation can be restored',
    10 * seconds,
    24 * hours,
  ),
  directCallTime: time(
    30 * 24 * hours,
    'How long a call outside of conversations is kept, at least as long as its key',
    minutes,
    3650 * 24 * hours,
  ),
  toolsPerServer: count(500, 'Tools of one server', 1, 100_000),
  entriesPerList: count(5000, 'Prompts, resources or templates of one server', 1, 100_000),
  serversPerOwner: count(100, 'Servers that one person may add', 1, 10_000),
  assistantsPerOwner: count(200, 'Assistants that one person may have', 1, 10_000),
  providersPerOwner: count(100, 'Providers of models that one person may add', 1, 10_000),
  descriptionToModel: bytes(4 * KiB, 'The description of a tool that a model gets', 64),
  callsPerTurn: count(64, 'Tool calls in one answer', 1, 100_000),
  roundsPerTurn: count(25, 'Requests to the model in one answer', 1, 100_000),
  parallelCallsPerServer: count(8, 'Calls that run on one server at the same time', 1, 1000),
  repeatedCalls: count(3, 'Identical calls in a row before the next one is refused', 2, 1000),
  refusedRounds: count(
    3,
    'Rounds in a row whose calls cannot run for the same reason, before a model must answer without tools',
    2,
    1000,
  ),
  refusedCalls: count(
    8,
    'Calls in a row that cannot run, for any reason, before a model must answer without tools',
    2,
    1000,
  ),
  argumentsPerCall: bytes(MiB, 'The arguments that a model writes for one call', KiB, 64 * MiB),
  argumentsPerRound: bytes(8 * MiB, 'The arguments of all calls in a round', KiB, 256 * MiB),
  textPerRound: count(
    4 * MiB,
    'Characters that a model may say and think in one round',
    1000,
    256 * MiB,
  ),
  partsPerRound: count(1024, 'Texts, thoughts, calls, files and other parts of one round', 10),
  mediaPerRound: bytes(32 * MiB, 'Images, sound and files that a model makes in one round'),
  modelEvent: bytes(32 * MiB, 'One event of a model’s stream, or an answer in one piece'),
  sessionIdleTime: time(30 * minutes, 'How long the servers of a topic run without a call'),
  openInputs: count(20, 'Questions of servers that may wait for one person', 1, 1000),
  connectTime: time(10 * seconds, 'Connecting to an address', 100, 10 * minutes),
  initialiseTime: time(30 * seconds, 'The first answer of a server', 100, hours),
  callIdleTime: time(60 * seconds, 'A tool call, unless its server sets a timeout', 100),
  callTotalTime: time(10 * minutes, 'A call of a long-running server in all', 100),
  inputTime: time(hours, 'How long a server waits for an answer of a person', 100),
  heldWhileWaiting: time(30 * minutes, 'How long an answer stays in memory while it waits', 1),
  viewerQueue: bytes(256 * KiB, 'What may wait for a slow reader of a stream', KiB, 64 * MiB),
  topicsPerStream: count(64, 'Topics in one stream', 1, 1000),
  viewerFrame: time(30, 'How often a stream sends new text', 1, 10 * seconds),
  heartbeat: time(15 * seconds, 'How often an idle stream shows that it is alive', 100, minutes),
  journalTick: time(500, 'How often text is written to SQLite', 1, 10 * seconds),
  journalTickPostgres: time(180, 'How often text is written to PostgreSQL', 1, 10 * seconds),
  snapshotMessages: count(200, 'Messages that a topic shows when it is opened', 1, 10_000),
  snapshotBlocks: count(5000, 'Blocks that a topic shows when it is opened', 10),
  stderrRing: bytes(64 * KiB, 'The log that is kept of each server', KiB, 64 * MiB),
  storedPerPerson: bytes(
    20 * GiB,
    'What one person may keep: conversations and files',
    MiB,
    1024 * GiB,
  ),
  importSize: bytes(4 * GiB, 'An export file that is imported', KiB, 64 * GiB),
  importLine: bytes(8 * MiB, 'One line of such a file', KiB, 512 * MiB),
  importEntries: count(
    2_000_000,
    'Topics, messages, blocks and files in such a file',
    1000,
    100_000_000,
  ),
  unsentFiles: count(500, 'Files of one person that no message uses yet'),
  uploadsAtOnce: count(16, 'Uploads of one person at the same time', 1, 1000),
  shortestPassword: count(10, 'Characters of the shortest password', 1, 100),
  decisionPause: time(
    500,
    'How long a question stands still before a click may answer it',
    0,
    minutes,
  ),
} satisfies Record<string, LimitSpec>;

export type LimitName = keyof typeof limitSpecs;

/** The sizes, counts and times of one host. Sizes are bytes, times are milliseconds. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The limits that ship. */
export const usualLimits: Limits = Object.fromEntries(
  Object.entries(limitSpecs).map(([name, { usual }]) => [name, usual]),
) as Record<LimitName, number>;

/** The limits of a host that sets some of them. */
export function limitsWith(set: Partial<Limits> = {}): Limits {
  return { ...usualLimits, ...set };
}

/** What the page has to know of them. */
export const pageLimitNames = [
  'file',
  'filesPerMessage',
  'imageToModel',
  'unsentFileTime',
  'shortestPassword',
  'decisionPause',
] as const satisfies LimitName[];

export type PageLimits = Pick<Limits, (typeof pageLimitNames)[number]>;

export function pageLimits(limits: Limits): PageLimits {
  return Object.fromEntries(pageLimitNames.map((name) => [name, limits[name]])) as PageLimits;
}
