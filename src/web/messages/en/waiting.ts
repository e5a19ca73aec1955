/** Texts of the page in English: waiting. */
export const waiting = {
  model: 'Waiting for the model',
  namedModel: 'Waiting for {name}',
  tool: '{count, plural, one {Waiting for a tool} other {Waiting for # tools}}',
  namedTool: 'Waiting for {name}',
  approval: 'Needs your approval',
  input: 'Needs your input',
  retryIn: '{reason}. Retrying in {seconds} s ({attempt} of {of})',
  retryNow: '{reason}. Retrying ({attempt} of {of})',
  retryReasons: {
    rate_limited: 'Rate limited',
    overloaded: 'Provider overloaded',
    unreachable: 'Can’t reach the provider',
    failed: 'Provider error',
    empty: 'Empty answer from the model',
  },
  stop: 'Stop',
  otherModel: 'Use another model',
};
