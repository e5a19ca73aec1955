/** The limits that ship. Sizes are bytes, times are milliseconds. */
export const limits = {
  httpBody: 1024 * 1024,
  messageText: 512 * 1024,
  mcpMessage: 8 * 1024 * 1024,
  resultToModel: 64 * 1024,
  storedResult: 16 * 1024 * 1024,
  inlineMedia: 16 * 1024,
  file: 40 * 1024 * 1024,
  filesPerMessage: 20,
  imageToModel: 5 * 1024 * 1024,
  mediaPerResult: 8,
  mediaPerRequest: 16 * 1024 * 1024,
  unsentFileTime: 24 * 3_600_000,
  toolsPerServer: 500,
  entriesPerList: 5000,
  serversPerOwner: 100,
  descriptionToModel: 4 * 1024,
  callsPerTurn: 64,
  roundsPerTurn: 25,
  parallelCallsPerServer: 8,
  repeatedCalls: 3,
  /** Rounds in a row whose calls could not run for the same reason, before tools are taken away. */
  refusedRounds: 3,
  /** Calls in a row that could not run, for whatever reasons, before tools are taken away. */
  refusedCalls: 8,
  /** What a model may write as the arguments of one call, and of all calls of a round. */
  argumentsPerCall: 1024 * 1024,
  argumentsPerRound: 8 * 1024 * 1024,
  /** What a model may say and think in one round, counted in characters. */
  textPerRound: 4 * 1024 * 1024,
  /** Texts, thoughts, calls, files and other parts of one round. */
  partsPerRound: 1024,
  /** Images, sound and files that a model makes in one round. */
  mediaPerRound: 32 * 1024 * 1024,
  /** One event of a model's stream, or an answer in one piece. */
  modelEvent: 32 * 1024 * 1024,
  openInputs: 20,
  connectTime: 10_000,
  initialiseTime: 30_000,
  callIdleTime: 60_000,
  callTotalTime: 600_000,
  inputTime: 3_600_000,
  heldWhileWaiting: 30 * 60_000,
  viewerQueue: 256 * 1024,
  topicsPerStream: 64,
  viewerFrame: 30,
  heartbeat: 15_000,
  journalTick: 500,
  journalTickPostgres: 180,
  snapshotMessages: 200,
  stderrRing: 64 * 1024,
  shortestPassword: 10,
} as const;
