import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: waiting. */
export const waiting: Messages['waiting'] = {
  model: '正在等待模型',
  namedModel: '正在等待 {name}',
  tool: '正在等待 {count} 个工具',
  namedTool: '正在等待 {name}',
  approval: '等待你的批准',
  input: '等待你的输入',
};
