const page = {
  url: '完整的 URL，http 或 https',
  headers: '附加的请求头；重定向到其他网站时不会发送',
  max_length: '最多返回的字符数',
  start_index: '从第几个字符开始，用于继续读取较长的页面',
};
const file = '文件，相对于工作区的路径';
const folder = '文件夹，相对于工作区的路径';
const searched = '要搜索的文件夹，相对于工作区的路径';
const relation = {
  'relations/from': '关系起点的实体名称',
  'relations/to': '关系终点的实体名称',
  'relations/relationType': '使用主动语态，例如“任职于”',
};

/** Arguments of built-in tools in Simplified Chinese, by server, tool and argument, as forms show them. */
export const zhBuiltinArguments: Record<string, Record<string, Record<string, string>>> = {
  fetch: { fetch_html: page, fetch_markdown: page, fetch_text: page, fetch_json: page },
  memory: {
    create_entities: {
      'entities/name': '唯一的名称，例如“Ada_Lovelace”',
      'entities/entityType': '类型，例如人物、项目、偏好',
      'entities/observations': '事实，每条一句话',
    },
    create_relations: relation,
    delete_relations: relation,
    search_nodes: { query: '要查找的词' },
  },
  'sequential-thinking': {
    sequentialthinking: {
      thought: '当前的想法',
      nextThoughtNeeded: '之后是否还有想法',
      thoughtNumber: '这个想法的序号，从 1 开始',
      totalThoughts: '预计一共有多少个想法',
      isRevision: '是否修正之前的想法',
      revisesThought: '被修正的想法的序号',
      branchFromThought: '从哪个想法另开分支（序号）',
      branchId: '分支的名称',
      needsMoreThoughts: '到了结尾却发现还需要更多想法时设置',
    },
  },
  filesystem: {
    list_directory: { path: folder },
    read_text_file: {
      path: file,
      head: '只返回开头的若干行',
      tail: '只返回结尾的若干行',
      start_line: '返回的第一行，从 1 开始',
      end_line: '返回的最后一行',
    },
    read_media_file: { path: file },
    get_file_info: { path: '文件或文件夹' },
    search_files: {
      path: searched,
      pattern: '名称的一部分，或含 * ? ** 的模式',
      text: '只查找含有这段文字的文件（不区分大小写）',
    },
    directory_tree: { path: searched, depth: '显示的层数' },
    write_file: { path: file, content: '完整的新内容' },
    edit_file: {
      path: file,
      edits: '按顺序进行的替换',
      'edits/oldText': '要替换的原文，必须恰好出现一次',
      'edits/newText': '替换成的内容',
      dryRun: '只显示会更改的内容',
    },
    create_directory: { path: folder },
    move_file: { source: '要移动的文件或文件夹', destination: '新路径，包括名称' },
    delete_file: {
      path: '文件或文件夹，相对于工作区的路径',
      recursive: '同时删除文件夹中的所有内容',
    },
  },
  time: {
    get_current_time: {
      timezone:
        'IANA 时区（“Asia/Tokyo”）、UTC 偏移（“+08:00”）或城市（“东京”）。留空则使用主机的时区。',
    },
    convert_time: {
      source_timezone: '原时间所在的时区或城市',
      time: '“14:30”（原时区的今天），其他日期写作“2026-03-01T14:30”',
      target_timezone: '要换算到的时区或城市',
    },
  },
  calculator: { calculate: { expression: '例如“(3 + 4) * 2^10 / sqrt(2)”' } },
  'web-search': { web_search: { query: '要搜索的内容，用几个词概括', count: '结果数量' } },
  demo: {
    show_table: { rows: '记录数' },
    echo: { message: '要返回的内容' },
    large_result: { kilobytes: '大小（KiB）' },
    fail: { message: '失败时给出的消息' },
    slow_task: { seconds: '总时长（秒）', steps: '报告进度的次数' },
    cite: { topic: '任意主题' },
    ask_form: { language: '表单的语言' },
    ask_model: { question: '要问模型的问题' },
  },
};
