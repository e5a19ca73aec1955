import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: diagnosis. */
export const diagnosis: Messages['diagnosis'] = {
  state: '状态',
  since: '开始于',
  reason: '原因',
  retry: '下次重试',
  transport: '传输方式',
  transportUsed: '{configured}，但它通过 {used} 应答',
  protocol: '协议',
  legacy: '有握手',
  modern: '无状态',
  server: '服务器',
  offers: '提供',
  signIn: '登录',
  'auth-not-needed': '不需要',
  'auth-none': '未登录',
  'auth-signed-in': '已登录',
  'auth-expired': '已失效',
  late: '迟到的应答',
  errors: '最近的错误',
  probes: '询问过什么，结果如何',
  kept: '缓存的列表及其时间',
  processes: '进程',
};
