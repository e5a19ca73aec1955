import { builtinServerId, pickedTextId } from './builtin-tool.ts';

/** What built-in servers do, in Simplified Chinese. */
const builtin: Record<string, string> = {
  fetch: '以 HTML、Markdown、纯文本或 JSON 读取公开网页。',
  memory: '用知识图谱记住事实及其关系。',
  'sequential-thinking': '让模型按编号的步骤思考，并可随时修正。',
  filesystem: '读写文件，仅限工作区文件夹。',
  time: '查询任意地点的当前时间，并换算时区。',
  calculator: '计算算术表达式，整数结果精确。',
  'web-search': '通过 SearXNG、Brave 或 Tavily 搜索网页。',
  demo: '演示工具的各种能力：图片、声音、进度、来源、长文本、失败、表单以及向模型提问。',
};

/** What the servers of Cerise's own catalogue do, in Simplified Chinese. */
const picked: Record<string, string> = {
  'Examples of every MCP feature, for trying things out.': '展示 MCP 的各项功能，适合试用。',
  'Reads and writes files in one folder.': '读写一个文件夹中的文件。',
  'A knowledge graph that the model keeps between chats.': '模型在对话之间保留的知识图谱。',
  'Helps a model solve a problem step by step.': '帮助模型一步一步解决问题。',
  'Controls a browser: opens pages, clicks and fills in forms.':
    '控制浏览器：打开网页、点击和填写表单。',
  'Queries and changes a SQLite database.': '查询和修改 SQLite 数据库。',
  'Checks JavaScript and TypeScript files.': '检查 JavaScript 和 TypeScript 文件。',
  'Shows places on an interactive globe.': '在可交互的地球仪上显示地点。',
  'Opens and reads PDF documents.': '打开并阅读 PDF 文档。',
  'Draws 3D scenes.': '绘制 3D 场景。',
  'Shows CPU and memory use of this machine.': '显示本机的 CPU 和内存使用情况。',
  'A minimal example of a server with its own user interface.': '自带界面的服务器的最小示例。',
};

/** What they ask for. */
const questions: Record<string, string> = {
  'Database file': '数据库文件',
  'Folder that the server can use': '服务器可以使用的文件夹',
};

/** Descriptions of the servers that Cerise brings or suggests, by their ids. */
export const zhDescribedServers: Record<string, string> = Object.fromEntries([
  ...Object.entries(builtin).map(([key, text]) => [builtinServerId(key), text]),
  ...Object.entries({ ...picked, ...questions }).map(([text, said]) => [pickedTextId(text), said]),
]);
