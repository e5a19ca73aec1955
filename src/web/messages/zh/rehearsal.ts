import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: rehearsal. */
export const rehearsal: Messages['rehearsal'] = {
  open: '试运行',
  title: '试运行 {name}',
  text: '启动服务器的一个独立实例，重复已记录的只读调用，并比较结果。这不会批准该服务器。',
  calls: '将重复的调用',
  noCalls: '没有已记录的只读调用，只比较工具列表。',
  start: '开始',
  running: '运行中…',
  sameTools: '工具没有变化。',
  added: '新增工具',
  removed: '移除的工具',
  changed: '变更的工具',
  same: '{count} 次调用的结果相同。',
  outcomes: {
    different: '不同',
    failed: '失败',
  },
  recorded: '记录时',
  now: '现在',
};
