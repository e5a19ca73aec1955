import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: requests to install servers. */
export const requests: Messages['requests'] = {
  title: '申请',
  asked: '{user} 想使用 {title}。',
  own: {
    open: '你申请了 {title}，管理员会进行审核。',
    approved: '管理员已为你安装 {title}。',
    denied: '管理员拒绝了你对 {title} 的申请。',
  },
  request: '向管理员申请',
  requested: '已申请，管理员会进行审核。',
  review: '查看…',
  deny: '拒绝',
  withdraw: '撤回',
  dismiss: '知道了',
};
