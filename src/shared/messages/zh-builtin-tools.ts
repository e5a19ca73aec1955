import { builtinArgumentId, builtinToolId } from './builtin-tool.ts';
import { zhBuiltinArguments } from './zh-builtin-arguments.ts';

/** What a tool is called and does. */
type ToolText = readonly [title: string, description: string];

/** Tools of built-in servers in Simplified Chinese, by server and tool, as people read them; models get the English. */
const zhBuiltinTools: Record<string, Record<string, ToolText>> = {
  fetch: {
    fetch_html: ['读取 HTML', '读取网页并返回 HTML 源代码。'],
    fetch_markdown: ['读取为 Markdown', '读取网页并返回 Markdown，最适合阅读。'],
    fetch_text: ['读取为文本', '读取网页或文本文件，返回不含标记的纯文本。'],
    fetch_json: ['读取 JSON', '读取 JSON，例如来自公共 API。'],
  },
  memory: {
    create_entities: ['记住实体', '向记忆中添加实体。名称已存在的实体保持不变。'],
    create_relations: ['记住关系', '添加实体之间的关系。已存在的关系保持不变。'],
    add_observations: ['记住事实', '为记忆中已有的实体添加事实。'],
    delete_entities: ['忘记实体', '删除实体以及与它们有关的所有关系。'],
    delete_observations: ['忘记事实', '按原文删除实体的事实。'],
    delete_relations: ['忘记关系', '删除实体之间的关系。'],
    read_graph: ['读取记忆', '返回整个知识图谱。'],
    search_nodes: ['搜索记忆', '查找名称、类型或事实中包含所有搜索词的实体及其关系。'],
    open_nodes: ['回忆实体', '按名称返回实体及其关系。'],
  },
  'sequential-thinking': {
    sequentialthinking: [
      '逐步思考',
      '针对难题一步一步写下思考。可以修正之前的想法或另开分支，直到检查过答案为止。',
    ],
  },
  filesystem: {
    list_directory: ['列出文件夹', '列出工作区文件夹中的文件和子文件夹及其大小。'],
    read_text_file: [
      '读取文本文件',
      '返回工作区文件的文本：全部、开头（head）或结尾（tail）若干行，或从 start_line 到 end_line 的行。',
    ],
    read_media_file: ['读取图片或声音', '返回工作区中的图片、声音或其他二进制文件（≤ 5 MiB）。'],
    get_file_info: ['文件信息', '返回工作区中文件或文件夹的类型、大小和时间。'],
    search_files: [
      '搜索文件',
      '按名称（部分名称，或“*.csv”“notes/**”这样的模式）查找工作区中的文件和文件夹，或按内容查找文件。',
    ],
    directory_tree: ['文件夹树', '以缩进的树形显示工作区文件夹中的所有内容。'],
    write_file: ['写入文件', '在工作区写入文本文件，并创建缺少的文件夹。会替换原有内容。'],
    edit_file: [
      '编辑文件',
      '替换工作区文本文件中的若干片段（全部成功或全部不改），并返回所做的更改。',
    ],
    create_directory: ['新建文件夹', '在工作区新建文件夹，包括缺少的上级文件夹。'],
    move_file: ['移动或重命名', '移动或重命名工作区中的文件或文件夹，不会覆盖已有的内容。'],
    delete_file: ['删除', '删除工作区中的文件或空文件夹；加上 recursive 可删除非空文件夹。'],
  },
  time: {
    get_current_time: ['当前时间', '返回某个时区或城市的当前日期和时间。'],
    convert_time: ['换算时间', '把一个时区或城市的时间换算为另一个的时间。'],
  },
  calculator: {
    calculate: [
      '计算',
      '计算算术表达式：+ - * / % ^ ! ( )、百分数（15%）、pi、e，以及 sqrt、sin（弧度）、log、ln、round、min、max、avg、gcd 等函数。任意大小的整数都精确（2^100）。',
    ],
  },
  'web-search': {
    web_search: ['网页搜索', '搜索网页，返回最佳结果的标题、URL 和摘要。'],
  },
  demo: {
    show_table: ['显示表格', '返回虚构的樱桃收成记录。'],
    link_recipe: ['链接食谱', '返回指向这个服务器的资源的链接。'],
    show_image: ['显示图片', '返回一张小的樱桃 PNG 图片。'],
    play_sound: ['播放声音', '返回四个上行音符的短 WAV 声音。'],
    echo: ['回声', '返回给出的消息。'],
    large_result: ['大结果', '返回指定大小的文本，每行有编号。'],
    fail: ['失败', '总是以给出的消息失败。'],
    slow_task: ['慢任务', '运行指定的时间，逐步报告进度，可以取消。'],
    cite: ['引用来源', '返回关于某个主题的虚构来源，包括链接和结构化结果。'],
    ask_form: ['用表单提问', '请用户填写一张表单，并返回填写的内容。'],
    ask_model: ['询问模型', '在用户同意后询问主机的一个模型，并返回它的回答。'],
  },
};

/** The same as sentences, by their ids. */
export const zhBuiltinToolSentences: Record<string, string> = Object.fromEntries(
  Object.entries(zhBuiltinTools).flatMap(([server, tools]) =>
    Object.entries(tools).flatMap(([tool, [title, description]]) => [
      [builtinToolId(server, tool, 'title'), title],
      [builtinToolId(server, tool, 'description'), description],
      ...Object.entries(zhBuiltinArguments[server]?.[tool] ?? {}).map(([path, text]) => [
        builtinArgumentId(server, tool, path),
        text,
      ]),
    ]),
  ),
);
