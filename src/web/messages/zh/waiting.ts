import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: waiting. */
export const waiting: Messages['waiting'] = {
  model: '思考中',
  tool: '正在使用工具',
  approval: '等待你的批准',
  input: '等待你的输入',
};
