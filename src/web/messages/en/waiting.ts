/** Texts of the page in English: waiting. */
export const waiting = {
  model: 'Waiting for the model',
  namedModel: 'Waiting for {name}',
  tool: '{count, plural, one {Waiting for a tool} other {Waiting for # tools}}',
  namedTool: 'Waiting for {name}',
  approval: 'Waiting for your approval',
  input: 'Waiting for your input',
  retryIn: '{reason}, trying again in {seconds} s ({attempt} of {of})',
  retryNow: '{reason}, trying again ({attempt} of {of})',
  retryReasons: {
    rate_limited: 'Rate limited',
    overloaded: 'The provider is overloaded',
    unreachable: 'The provider can’t be reached',
    failed: 'The provider had a problem',
    empty: 'The model gave no answer',
  },
  stop: 'Stop',
  otherModel: 'Use another model',
};
