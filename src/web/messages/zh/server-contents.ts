import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: what a server offers besides tools, and its log. */
export const serverContents: Messages['serverContents'] = {
  noPrompts: '这个服务器没有提示词。',
  preview: '预览',
  show: '显示提示词',
  roles: { user: '用户', assistant: '助手' },
  noResources: '这个服务器没有资源。',
  search: '搜索资源',
  more: '还有 {count} 项，搜索即可查看。',
  templates: '资源模板',
  find: '获取资源',
  filterLog: '筛选日志',
  pause: '暂停',
  follow: '继续',
  noLines: '还没有日志。',
};
