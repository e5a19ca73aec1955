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
  connections: count(2000, 'Open connections to this host, including event streams', 10),
  connectionsPerAddress: count(
    200,
    'Open connections from one address without a sign-in; trusted proxies are exempt',
  ),
  headerTime: time(15 * seconds, 'Time to receive the headers of a request', 100, hours),
  bodyIdleTime: time(30 * seconds, 'Pause while receiving the body of a request', 100, hours),
  strangerRequestTime: time(
    minutes,
    'Time to receive a whole request without a sign-in',
    100,
    hours,
  ),
  requestTime: time(hours, 'Time to receive a whole request', 100, 24 * hours),
  httpBody: bytes(MiB, 'Size of a JSON request'),
  bodyParts: count(200_000, 'Objects, lists and fields in a JSON request', 1000, 10_000_000),
  messageText: bytes(512 * KiB, 'Text of a message'),
  mcpMessage: bytes(8 * MiB, 'One message from an MCP server', 64 * KiB, 256 * MiB),
  mcpMessageParts: count(
    200_000,
    'Objects, lists and fields in one message from an MCP server',
    1000,
    10_000_000,
  ),
  resultToModel: bytes(64 * KiB, 'Text of a tool result sent to a model in one piece'),
  storedResult: bytes(16 * MiB, 'Size of a stored tool result', KiB, 256 * MiB),
  inlineMedia: bytes(16 * KiB, 'Media stored in their block; larger media become files'),
  file: bytes(40 * MiB, 'Size of an uploaded file'),
  bundleSize: bytes(50 * MiB, 'Size of a bundle', KiB, GiB),
  bundleUnpacked: bytes(500 * MiB, 'Size of all files in a bundle', KiB, 8 * GiB),
  bundleEntries: count(20_000, 'Files in a bundle'),
  bundleName: count(255, 'Length of a file name in a bundle, in bytes', 1, 255),
  bundleRatio: count(200, 'How much larger a file in a bundle can be than its packed size'),
  filesPerMessage: count(20, 'Files in one message', 1, 1000),
  imageToModel: bytes(5 * MiB, 'Size of an image sent to a model'),
  mediaPerResult: count(8, 'Images and audio of one tool result sent to a model', 0, 1000),
  mediaPerRequest: bytes(16 * MiB, 'All media in one request to a model'),
  unsentFileTime: time(
    24 * hours,
    'How long an uploaded file is kept without being sent',
    minutes,
    30 * 24 * hours,
  ),
  undoTime: time(minutes, 'How long a deleted chat can be restored', 10 * seconds, 24 * hours),
  directCallTime: time(
    30 * 24 * hours,
    'How long a call outside chats is kept; never shorter than its idempotency key',
    minutes,
    3650 * 24 * hours,
  ),
  toolsPerServer: count(500, 'Tools of one server', 1, 100_000),
  entriesPerList: count(5000, 'Prompts, resources or templates of one server', 1, 100_000),
  serversPerOwner: count(100, 'Servers per user', 1, 10_000),
  installRequestsPerOwner: count(20, 'Requests to install a server, per user', 1, 1000),
  assistantsPerOwner: count(200, 'Assistants per user', 1, 10_000),
  providersPerOwner: count(100, 'Model providers per user', 1, 10_000),
  descriptionToModel: bytes(4 * KiB, 'Description of a tool sent to a model', 64),
  callsPerTurn: count(64, 'Tool calls in one answer', 1, 100_000),
  roundsPerTurn: count(25, 'Requests to the model in one answer', 1, 100_000),
  parallelCallsPerServer: count(8, 'Parallel calls per server', 1, 1000),
  repeatedCalls: count(3, 'Identical calls in a row before the next one is refused', 2, 1000),
  refusedRounds: count(
    3,
    'Rounds in a row whose calls cannot run for the same reason, before the model must answer without tools',
    2,
    1000,
  ),
  refusedCalls: count(
    8,
    'Calls in a row that cannot run for any reason, before the model must answer without tools',
    2,
    1000,
  ),
  argumentsPerCall: bytes(MiB, 'Arguments of one call', KiB, 64 * MiB),
  argumentsPerRound: bytes(8 * MiB, 'Arguments of all calls in a round', KiB, 256 * MiB),
  textPerRound: count(4 * MiB, 'Characters of text and reasoning in one round', 1000, 256 * MiB),
  partsPerRound: count(1024, 'Texts, reasoning, calls, files and other parts of one round', 10),
  mediaPerRound: bytes(32 * MiB, 'Images, audio and files produced by a model in one round'),
  modelEvent: bytes(32 * MiB, 'One event of a model’s stream, or a non-streamed response'),
  sessionIdleTime: time(30 * minutes, 'How long the session servers of a chat run without a call'),
  openInputs: count(20, 'Open requests from servers per user', 1, 1000),
  waitingCalls: count(100, 'Calls outside chats waiting for approval, per user', 1, 10_000),
  connectTime: time(10 * seconds, 'Time to connect to an address', 100, 10 * minutes),
  initialiseTime: time(30 * seconds, 'Time until the first response of a server', 100, hours),
  callIdleTime: time(
    60 * seconds,
    'Duration of a tool call, unless its server sets a timeout',
    100,
  ),
  callTotalTime: time(10 * minutes, 'Total duration of a call to a long-running server', 100),
  inputTime: time(hours, 'How long a server waits for a user’s answer', 100),
  heldWhileWaiting: time(30 * minutes, 'How long a waiting answer stays in memory', 1),
  mcpSessions: count(1000, 'Sessions of programs that use /mcp', 1, 100_000),
  mcpSessionsPerKey: count(100, 'Sessions on /mcp per API key', 1, 100_000),
  mcpSessionTime: time(30 * minutes, 'How long an unused session on /mcp is kept', seconds),
  mcpApprovalTime: time(5 * minutes, 'How long a call through /mcp waits for approval', 100),
  mcpTaskAfter: time(
    20 * seconds,
    'After what time a call through /mcp becomes a task, for clients that support tasks',
    1,
  ),
  programsPerOwner: count(100, 'Connected programs per user', 1, 10_000),
  programCodeTime: time(
    minutes,
    'How long a program has to use its authorization code',
    seconds,
    10 * minutes,
  ),
  programAccessTime: time(
    hours,
    'How long an access token of a connected program is valid',
    10 * seconds,
    24 * hours,
  ),
  programIdleTime: time(
    30 * 24 * hours,
    'How long a program stays connected without being used',
    minutes,
    365 * 24 * hours,
  ),
  programRegistrations: count(1000, 'Registered programs that are not connected', 1, 100_000),
  programRegistrationTime: time(
    30 * 24 * hours,
    'How long a registered program is kept without being connected',
    minutes,
    365 * 24 * hours,
  ),
  viewerQueue: bytes(256 * KiB, 'Data queued for a slow reader of a stream', KiB, 64 * MiB),
  topicsPerStream: count(64, 'Chats in one stream', 1, 1000),
  viewerFrame: time(30, 'How often a stream sends new text', 1, 10 * seconds),
  heartbeat: time(15 * seconds, 'How often an idle stream sends a heartbeat', 100, minutes),
  journalTick: time(500, 'How often text is written to SQLite', 1, 10 * seconds),
  journalTickPostgres: time(180, 'How often text is written to PostgreSQL', 1, 10 * seconds),
  snapshotMessages: count(200, 'Messages loaded when a chat is opened', 1, 10_000),
  snapshotBlocks: count(5000, 'Blocks loaded when a chat is opened', 10),
  stderrRing: bytes(64 * KiB, 'Log kept for each server', KiB, 64 * MiB),
  hostLog: bytes(MiB, 'Recent log lines of the host kept in memory', 16 * KiB, 64 * MiB),
  storedPerPerson: bytes(
    20 * GiB,
    'Storage per user: chats, calls outside chats and files',
    MiB,
    1024 * GiB,
  ),
  importSize: bytes(4 * GiB, 'Size of an imported file', KiB, 64 * GiB),
  importLine: bytes(8 * MiB, 'One line of an imported file', KiB, 512 * MiB),
  importEntries: count(
    2_000_000,
    'Chats, messages, blocks and files in an imported file',
    1000,
    100_000_000,
  ),
  unsentFiles: count(500, 'Unsent files per user'),
  uploadsAtOnce: count(16, 'Parallel uploads per user', 1, 1000),
  replaysAtOnce: count(2, 'Replays of recorded answers at the same time per user', 1, 100),
  shortestPassword: count(10, 'Minimum length of a password, in characters', 1, 100),
  v1Body: bytes(64 * MiB, 'Size of a request to /v1', 64 * KiB, GiB),
  v1Text: bytes(8 * MiB, 'Text of a request to /v1, without its images and files', KiB, 64 * MiB),
  v1BodiesAtOnce: count(4, 'Requests to /v1 larger than 1 MiB received at the same time', 1, 1000),
  v1Grace: time(
    3 * seconds,
    'How long an answer to /v1 continues after its client has left',
    1,
    hours,
  ),
  v1RetryTime: time(
    10 * minutes,
    'How long a retry of a request to /v1 joins the first one',
    seconds,
    24 * hours,
  ),
  v1KeptTime: time(
    hours,
    'How long an answer of /v1 is kept after its end, unless it is stored',
    minutes,
    30 * 24 * hours,
  ),
  v1StoredTime: time(
    30 * 24 * hours,
    'How long a stored response of /v1 is kept',
    minutes,
    3650 * 24 * hours,
  ),
  recordTime: time(
    30 * 24 * hours,
    'How long records of answers are kept',
    minutes,
    3650 * 24 * hours,
  ),
  recordBytes: bytes(
    GiB,
    'Size of all records of answers; the oldest are removed',
    MiB,
    1024 * GiB,
  ),
  decisionPause: time(
    500,
    'How long an approval or request must be unchanged before a click can answer it',
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
  'bundleSize',
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
