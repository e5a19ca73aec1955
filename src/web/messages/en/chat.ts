/** Texts of the page in English: chat. */
export const chat = {
  greeting: 'What can I do for you?',
  greetingText: 'Ask anything. The tools of your MCP servers are at hand.',
  suggestTime: 'What time is it in Tokyo, and what files are in the workspace?',
  suggestSum: 'What is 12*(3+4)?',
  suggestTour: '/tour',
  suggestTourLabel: 'Take the tour of every block',
  suggestMemory: 'Remember that my favourite fruit is the cherry',
  missing: 'This conversation does not exist.',
  missingText: 'It may have been deleted.',
  failed: 'The conversation could not be loaded.',
  latest: 'Jump to the latest',
  earlier: 'Loading earlier messages…',
  log: 'Conversation',
};
