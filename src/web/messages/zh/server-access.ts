import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: what a local server may reach. */
export const access: Messages['access'] = {
  title: '访问权限',
  hint: '这个服务器在 Cerise 所在机器上能访问的范围。Cerise 自己的数据始终不可访问。',
  files: '文件',
  filesOf: {
    everything: '所有文件',
    folders: '它自己的文件夹和以下文件夹',
    own: '仅它自己的文件夹',
  },
  ownFolder: '它自己的文件夹',
  network: '网络',
  networkAllowed: '允许访问网络',
  folder: '文件夹 {n}',
  folderMode: '文件夹 {n} 的权限',
  read: '只读',
  write: '读写',
  addFolder: '添加文件夹',
  removeFolder: '移除文件夹 {n}',
  sentence: '文件：{files}。网络：{network}。',
  sandbox: '沙箱',
  enforced: '已强制执行',
  require: '必须使用沙箱',
  requireHint:
    '只有这台机器能强制限制文件和网络访问时（装有 bubblewrap 的 Linux），才启动本地服务器。',
};
