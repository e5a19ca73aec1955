import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: message. */
export const message: Messages['message'] = {
  you: '你',
  answer: '回答',
  edit: '编辑',
  resend: '发送',
  regenerate: '重新生成',
  regenerateWith: '换一个模型重新生成',
  previous: '上一个版本',
  next: '下一个版本',
  version: '第 {index} 个，共 {count} 个',
  stopped: '已停止',
  interrupted: '已中断',
  queued: '已排队：下一步时加入',
  sending: '发送中…',
  notSent: '未发送',
  discard: '丢弃',
  tokens: '输入 {input} · 输出 {output}',
};
