import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: consent. */
export const consent: Messages['consent'] = {
  title: '连接这个程序？',
  calls: '该程序自称',
  unnamed: '未命名的程序',
  unverified: '任何程序都可以使用任意名称。只有这次连接由你发起时才继续。',
  publisher: '发布者',
  returnsTo: '跳转到',
  thisComputer: '{place}（此电脑）',
  user: '登录用户',
  server: '服务器',
  allows:
    '它将可以使用你的服务器的工具、提示词和资源。你的工具权限依然适用，它发送的内容视为不可信。',
  reaches: '{servers}，以及你以后添加的服务器',
  allow: '连接',
  deny: '拒绝',
  refused: '无法连接该程序',
  done: '可以关闭此窗口，回到该程序。',
  home: '打开 Cerise',
};
