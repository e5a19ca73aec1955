/** Texts of the page in English: about this host. */
export const about = {
  version: 'Version',
  protocols: 'MCP versions',
  database: 'Database',
  dataFolder: 'Data folder',
  licence: 'Licence',
  more: 'Documentation',
  docs: 'The user guide, API reference and operations guide are in the docs folder.',
  api: 'API reference (OpenAPI)',
};
