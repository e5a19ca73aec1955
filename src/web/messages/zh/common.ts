import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: common. */
export const common: Messages['common'] = {
  close: '关闭',
  cancel: '取消',
  save: '保存',
  add: '添加',
  edit: '编辑',
  delete: '删除',
  copy: '复制',
  copied: '已复制',
  retry: '重试',
  dismiss: '知道了',
  showAll: '显示全部',
  showLess: '收起',
  plainText: '文本',
  loading: '加载中…',
  scripted: '脚本演示',
  seconds: '{value} 秒',
  milliseconds: '{value} 毫秒',
  minutes: '{minutes} 分 {seconds} 秒',
  offline: '无法连接 Cerise，正在重新连接…',
  coming: '恢复连接后加载。',
  outdated: 'Cerise 已更新，请重新加载页面以继续。你的草稿已保存。',
  reload: '重新加载页面',
  crashed: '无法显示页面的这一部分。',
  justNow: '刚刚',
};
