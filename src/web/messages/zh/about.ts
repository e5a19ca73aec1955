import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: about this host. */
export const about: Messages['about'] = {
  version: '版本',
  protocols: 'MCP 版本',
  database: '数据库',
  dataFolder: '数据目录',
  licence: '许可证',
  more: '更多资料',
  docs: '使用指南、API 说明和运维文档都在程序的 docs 目录中。',
  api: '本主机的 API（OpenAPI）',
};
