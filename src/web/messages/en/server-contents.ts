/** Texts of the page in English: what a server offers besides tools, and its log. */
export const serverContents = {
  noPrompts: 'This server offers no prompts.',
  preview: 'Preview',
  show: 'Show the prompt',
  roles: { user: 'User', assistant: 'Assistant' },
  noResources: 'This server offers no resources.',
  search: 'Search resources',
  more: '{count} more: search to see them.',
  templates: 'Patterns',
  find: 'Find it',
  filterLog: 'Filter the log',
  pause: 'Pause',
  follow: 'Follow',
  noLines: 'Nothing was logged.',
};
