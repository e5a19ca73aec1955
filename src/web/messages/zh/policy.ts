import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: policy. */
export const policy: Messages['policy'] = {
  ofTool: '工具 {name}',
  ofServer: '服务器 {name}',
  readOnly: '只读',
  destructive: '有破坏性',
  idempotent: '重复运行无影响',
  openWorld: '会访问本机以外',
  trusted: '来自受信任的服务器',
  not: {
    readOnly: '非只读',
    destructive: '无破坏性',
    idempotent: '重复运行有影响',
    openWorld: '不访问本机以外',
    trusted: '来自不受信任的服务器',
  },
  allArguments: '参数',
  isHost: '{where} 中的地址都在 {value}',
  isEqual: '{where} 等于 {value}',
  hasPrefix: '{where} 以 {value} 开头',
  fitsGlob: '{where} 匹配 {value}',
  sameArguments: '参数完全相同',
  inTopic: '在对话“{name}”中',
};
