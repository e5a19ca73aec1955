import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: content from untrusted sources. */
export const untrusted: Messages['untrusted'] = {
  title: '不可信内容',
  hint: '记忆、工作区文件和受信任服务器中来自不受信任或未知来源的内容。读取这些内容的对话在更改任何内容之前会先询问。请检查后标记你信任的内容。',
  none: '没有不可信的内容。',
  memory: '记忆',
  files: '工作区文件',
  servers: '受信任的服务器',
  fileContent: '内容',
  fileName: '文件名',
  trust: '标记为可信',
  trustAll: '全部标记为可信（{count} 项）',
  trustAllTitle: '将全部 {count} 项标记为可信？',
  trustAllText: '读取这些内容的对话不会再因此询问。内容一旦改变，会重新变为不可信。',
  moreLeft: '还有更多内容。先标记这些，即可看到其余部分。',
  asked: '本对话含有不可信内容。来源：{sources}',
  andMore: '{sources}等（另有 {count} 个来源）',
  sources: {
    host: '{host}（{server} 的 {tool}）',
    tool: '{server} 的 {tool}',
    vendor: '模型的服务商运行的工具',
    resource: '{server} 的提示词或资源',
    import: '导入的对话',
    program: '使用 Cerise 的程序',
    unknown: '未知来源',
  },
  kept: {
    memory: '保存在记忆中（{name}）',
    files: '保存在 {name} 中',
    server: '保存在 {name} 上',
  },
  comma: '，',
  readHere: '在本对话中读取',
  readIn: '在“{topic}”中读取',
  readOn: '{date}{place}',
};
