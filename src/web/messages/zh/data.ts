import type { Messages } from '../en.ts';

/** Texts of the page in Simplified Chinese: everything of a person at once. */
export const data: Messages['data'] = {
  conversations: '对话',
  messages: '消息',
  files: '文件',
  export: '导出',
  exportText: '将你的对话及其文件、助手、服务器和工具调用导出为一个文件，其中不含密码和密钥。',
  exportAction: '导出全部数据',
  import: '导入',
  importText:
    '导入在这里或其他 Cerise 上导出的文件。导入前会先显示其中的内容；已有的数据不会改动。',
  importAction: '选择文件…',
  reading: '正在读取 {name}…',
  wouldImport: '{name} 包含',
  imported: '已导入',
  counts:
    '{topics} 个对话（{messages} 条消息，{files} 个文件）、{assistants} 个助手、{servers} 个服务器',
  skipped: '有 {skippedTopics} 个对话已经存在，保持不变。',
  drafts: '导入的服务器处于停用或待批准状态，不含密钥。',
  leftOut: '未导入：{name}。{reason}',
  copies: '已存在的对话也导入一份副本',
  importNow: '导入',
  notNow: '暂不导入',
  backup: '备份整个主机',
  backupText: '要备份本主机所有人的全部数据，请管理员在主机上运行以下命令：',
  calls: '对话之外的工具调用',
  callsText:
    '从对话中再次运行、在服务器页面试用或通过 API 发起的调用。30 天后自动删除，除非管理员设置了其他时间。',
  noCalls: '暂无调用。',
  moreCalls: '显示更多',
  deleteCall: '删除这次调用',
  deleteCalls: '删除全部调用',
  deleteCallsTitle: '删除全部调用？',
  deleteCallsText: '对话之外已结束的调用及其参数和结果将被永久删除，已经产生的影响不会撤销。',
  delete: '删除全部对话',
  deleteText: '助手、服务器和设置会保留。',
  deleteAction: '删除全部对话',
  deleteTitle: '删除全部对话？',
  deleteWarning: '{topics} 个对话及其全部消息和文件将被永久删除，正在运行的回答会被停止。',
  deleteConfirm: '输入“{word}”以继续',
  deleteWord: '删除',
};
