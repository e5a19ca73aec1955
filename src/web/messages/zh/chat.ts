import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: chat. */
export const chat: Messages['chat'] = {
  greeting: '有什么可以帮你？',
  suggestTime: '东京现在几点？工作区里有哪些文件？',
  suggestSum: '计算 12*(3+4)',
  suggestTourLabel: '再看一遍导览',
  suggestMemory: '记住：我最喜欢的水果是樱桃',
  missing: '找不到这个对话',
  suggestCode: '写一段代码',
  suggestDraw: '画一棵樱桃树',
  suggestForm: '给我看一张表单',
  suggestSampling: '让服务器来问模型',
  suggestFiles: '总结工作区里的文件',
  suggestPage: '总结 https://modelcontextprotocol.io 的内容',
  suggestExplain: '解释哈希表的工作原理',
  suggestDraft: '起草一封请求延长截止日期的邮件',
  suggestServer: '你能用 {server} 做什么？',
  suggestAssistant: '你能帮我做什么？',
  missingText: '它可能已被删除。',
  failed: '无法加载这个对话。',
  latest: '跳到最新',
  earlier: '正在加载更早的消息…',
  log: '对话',
  greetingText: '有问题尽管问，可随时使用你的 MCP 服务器提供的工具。',
  works:
    '{count, plural, =0 {{model} 已就绪。添加服务器即可使用工具。} other {{model} 已就绪，可使用 # 个服务器的工具。}}',
  worksScripted:
    '{count, plural, =0 {开箱即用：脚本演示模型。} other {开箱即用：脚本演示模型，配有 # 个服务器的真实工具。}}无需 API 密钥。',
  showAround: '快速导览',
  tour: '快速导览',
  worksAs:
    '{count, plural, =0 {“{assistant}”已就绪，使用 {model}。添加服务器即可使用工具。} other {“{assistant}”已就绪，使用 {model}，可使用 # 个服务器的工具。}}',
  tourPlace: '{index} / {count}',
  tourNext: '下一步',
  tourBack: '上一步',
  tourDone: '完成',
  tourEnd: '结束导览',
  tourAnswer: '一个回答里有什么',
  tourAnswerText: '演示模型会调用各类工具。思考、工具调用、图片、表格和来源都可以展开查看详情。',
  tourComposer: '消息、文件与命令',
  tourComposerText:
    '输入 / 使用命令和服务器的提示词，输入 @ 引用资源。文件可以粘贴，也可以拖到任意位置。回答进行时可以继续发送消息。',
  tourServers: '你的 MCP 服务器',
  tourServersText:
    '选择这个对话可以使用哪些服务器，并查看它们的工具。会更改内容的工具会先征得你同意。',
  tourSettings: '你的模型',
  tourSettingsText:
    '在这里选择模型。在设置中填写 API 密钥即可添加自己的模型，本地模型服务会自动发现。',
  found: '{name} 可用',
  foundHere: '它正在本机上运行。要用它的模型代替演示模型吗？',
  foundKey: '环境变量中已设置它的 API 密钥。要用它的模型代替演示模型吗？',
  tourAddModel: '添加模型',
  tourAddServer: '添加服务器',
  foundModel: '要使用的模型',
  foundUse: '设为默认',
  foundDismiss: '暂不',
};
