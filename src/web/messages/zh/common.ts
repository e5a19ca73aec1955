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
  undo: '撤销',
  dismiss: '知道了',
  showAll: '显示全部',
  showLess: '收起',
  plainText: '文本',
  loading: '加载中…',
  scripted: '脚本演示',
  seconds: '{value} 秒',
  milliseconds: '{value} 毫秒',
  minutes: '{minutes} 分 {seconds} 秒',
  offline: '无法连接主机，正在重试…',
  coming: '主机恢复后显示。',
  outdated: '主机已更新，页面的这一部分已不存在。你写的内容会保留。',
  reload: '重新加载页面',
  crashed: '页面的这一部分出错了。',
};
