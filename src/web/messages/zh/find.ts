import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: find. */
export const find: Messages['find'] = {
  label: '在此对话中查找',
  placeholder: '在对话中查找',
  older: '上一处',
  newer: '下一处',
  none: '没有匹配',
  count: '第 {index} 处，共 {count} 处',
  countMore: '第 {index} 处，共 {count}+ 处',
  loading: '搜索中…',
};
