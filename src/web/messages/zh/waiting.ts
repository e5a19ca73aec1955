import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: waiting. */
export const waiting: Messages['waiting'] = {
  model: '正在等待模型',
  namedModel: '正在等待 {name}',
  tool: '正在等待 {count} 个工具',
  namedTool: '正在等待 {name}',
  approval: '等待你的批准',
  input: '等待你的输入',
  retryIn: '{reason}，{seconds} 秒后重试（第 {attempt} 次，共 {of} 次）',
  retryNow: '{reason}，正在重试（第 {attempt} 次，共 {of} 次）',
  retryReasons: {
    rate_limited: '请求过于频繁',
    overloaded: '服务商过载',
    unreachable: '无法连接服务商',
    failed: '服务商出错',
    empty: '模型返回了空回答',
  },
  stop: '停止',
  otherModel: '换用其他模型',
};
