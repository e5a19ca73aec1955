import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: notifications. */
export const notifications: Messages['notifications'] = {
  approval: '需要你批准',
  question: '服务器需要你提供信息',
  finished: '回答已完成',
  failed: '回答失败',
  inChat: '对话：{title}',
  asks: '服务器：{server}',
  wantsToRun: '工具：{server} 的 {tool}',
  offer: '回答完成时通知你？',
  offerWaiting: '有事项需要处理时通知你？',
  notifyMe: '通知我',
  decline: '不用了',
  show: '显示通知',
  when: '回答用时超过 {seconds} 秒并完成时，或有批准、服务器请求等你处理时，会通知你。正在查看的对话不会发出通知。',
  perChat: '要让某个对话不再通知，请使用侧边栏中该对话的菜单。',
  muted: '已有 {count} 个对话静音。',
  unmuteAll: '全部取消静音',
  denied: '浏览器阻止了本站的通知。请在网站设置（地址栏旁的图标）中允许通知，然后回到此页面。',
  insecure: '浏览器只允许通过安全连接访问的网站发送通知。请通过 HTTPS 打开 Cerise。',
  unsupported:
    '此浏览器无法显示 Cerise 的通知，可改用电脑上的浏览器。铃铛和标签页标题仍会提示待处理的事项。',
};
