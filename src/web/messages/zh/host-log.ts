import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: the log of the host. */
export const hostLog: Messages['hostLog'] = {
  filter: '筛选日志',
  show: '显示',
  shown: {
    debug: '所有级别',
    info: '信息及以上',
    warn: '警告和错误',
    error: '仅错误',
  },
  write: '日志级别',
  levels: { debug: '调试', info: '信息', warn: '警告', error: '错误' },
  usual: '默认（{level}）',
  until: '持续到 {time}，之后恢复为 {level}。',
  hint: '对所有实例生效一小时，无需重启。',
  instance: '实例 {host}（进程 {pid}）',
  details: '显示详情',
  pause: '暂停',
  follow: '继续',
  none: '还没有日志。',
  noMatch: '没有匹配的日志。',
};
