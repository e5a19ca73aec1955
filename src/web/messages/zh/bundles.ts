import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: bundles. */
export const bundles: Messages['bundles'] = {
  intro:
    '安装包（.mcpb 或 .dxt）包含一个服务器及其所需的一切。选择文件、输入 URL，或将文件拖放到此页面的任意位置。',
  choose: '选择文件',
  url: 'URL',
  download: '下载',
  reading: '正在读取安装包…',
  settings: '设置',
  runs: '将要运行的内容',
  nothingRuns: '现在不会运行任何内容：下一步由你检查并批准命令。{folder} 是安装包解压到的文件夹。',
  install: '安装',
  updateNow: '更新',
  installAs: '已安装',
  update: '更新 {name}',
  asNew: '安装为新服务器',
  editCommand: '编辑命令…',
  version: '版本',
  publisher: '发布者',
  command: '命令',
  arguments: '参数',
  newVariables: '新增变量',
  changedVariables: '变更的变量',
  removedVariables: '移除的变量',
  newSettings: '新增设置',
  removedSettings: '移除的设置',
  files: '文件',
  fileCounts: '新增 {added} 个，变更 {changed} 个，移除 {removed} 个',
};
