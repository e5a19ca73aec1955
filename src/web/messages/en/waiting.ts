/** Texts of the page in English: waiting. */
export const waiting = {
  model: 'Thinking',
  tool: 'Using tools',
  approval: 'Waiting for your approval',
  input: 'Waiting for your input',
};
