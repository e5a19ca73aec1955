/** Texts of the page in English: what a server offers besides tools, and its log. */
export const serverContents = {
  noPrompts: 'This server has no prompts.',
  preview: 'Preview',
  show: 'Show prompt',
  roles: { user: 'User', assistant: 'Assistant' },
  noResources: 'This server has no resources.',
  search: 'Search resources',
  more: '{count} more. Search to find them.',
  templates: 'Resource templates',
  find: 'Get resource',
  filterLog: 'Filter log',
  pause: 'Pause',
  follow: 'Resume',
  noLines: 'No log entries yet.',
};
