import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: about this host. */
export const about: Messages['about'] = {
  version: '版本',
  protocols: 'MCP 版本',
  database: '数据库',
  dataFolder: '数据目录',
  licence: '许可证',
  more: '文档',
  docs: '使用指南、API 参考和运维指南都在 docs 目录中。',
  api: 'API 参考（OpenAPI）',
};
