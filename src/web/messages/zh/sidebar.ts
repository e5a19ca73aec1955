import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: sidebar. */
export const sidebar: Messages['sidebar'] = {
  title: '对话',
  newChat: '新对话',
  search: '搜索对话',
  clearSearch: '清除搜索',
  noHits: '没有结果。',
  empty: '你的对话会显示在这里。',
  open: '打开侧边栏',
  fold: '收起侧边栏',
  untitled: '新对话',
  running: '正在回答',
  waiting: '等待你处理',
  actions: '“{title}”的操作',
  rename: '重命名',
  exportMarkdown: '导出为 Markdown',
  exportJson: '导出为 JSON',
  deleteTitle: '删除这个对话？',
  deleteText: '“{title}”将被永久删除。',
  servers: '服务器',
  settings: '设置',
  today: '今天',
  yesterday: '昨天',
  week: '最近 7 天',
  more: '正在加载更多…',
};
