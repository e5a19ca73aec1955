import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: approval. */
export const approval: Messages['approval'] = {
  title: '允许这次调用吗？',
  where: '{server} 的 {tool}',
  rule: '因规则“{rule}”而询问',
  once: '批准一次',
  onceEdited: '按修改后批准',
  topic: '本对话内批准',
  host: '对 {host} 始终批准',
  arguments: '对相同参数始终批准',
  always: '始终批准',
  edit: '修改参数…',
  keep: '保留原参数',
  editor: '参数（JSON）',
  noObject: '这不是一个 JSON 对象。',
  deny: '拒绝',
  several: '有 {count} 个调用等待你的决定。',
  approveAll: '全部批准一次',
  denyAll: '全部拒绝',
};
