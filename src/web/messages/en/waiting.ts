/** Texts of the page in English: waiting. */
export const waiting = {
  model: 'Waiting for the model',
  namedModel: 'Waiting for {name}',
  tool: '{count, plural, one {Waiting for a tool} other {Waiting for # tools}}',
  namedTool: 'Waiting for {name}',
  approval: 'Waiting for your approval',
  input: 'Waiting for your input',
};
