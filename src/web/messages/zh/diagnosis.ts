import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: diagnosis. */
export const diagnosis: Messages['diagnosis'] = {
  state: '状态',
  since: '起始时间',
  reason: '原因',
  retry: '下次重试',
  transport: '传输方式',
  transportUsed: '{configured}（实际通过 {used} 响应）',
  protocol: '协议',
  legacy: '有握手',
  modern: '无状态',
  server: '服务器',
  offers: '能力',
  signIn: '登录',
  'auth-not-needed': '不需要',
  'auth-none': '未登录',
  'auth-signed-in': '已登录',
  'auth-expired': '已过期',
  late: '迟到的响应',
  errors: '最近的错误',
  probes: '连接尝试',
  kept: '缓存的列表及其存在时间',
  processes: '进程',
};
