/** Texts of the page in English: about this host. */
export const about = {
  version: 'Version',
  protocols: 'MCP versions',
  database: 'Database',
  dataFolder: 'Data folder',
  licence: 'Licence',
  more: 'Read more',
  docs: 'The guide, the API and how to operate a host are in the docs folder of the program.',
  api: 'The API of this host (OpenAPI)',
};
