import type { Json } from '#shared/vocabulary/json.ts';
import { arithmetic, file } from './arithmetic.ts';
import { zoneOf } from './zones.ts';

type Detail = 'place' | 'path' | 'text' | 'line' | 'column' | 'url' | 'fact' | 'about' | 'query';

/** What a question tells. `position` counts from 0, -1 is the last; `subject` is a follow-up's. */
export type Details = { position?: number; smallest?: boolean; most?: boolean } & {
  [detail in Detail | 'expression' | 'subject' | 'word' | 'chinese']?: string | undefined;
};

/** Values for a tool, each under the names that its parameter may have; the most telling first. */
export type Offers = Record<string, Json | undefined>;

/** One thing the demo model can do. */
export interface Skill {
  /** What is asked, anywhere in a message; named groups become the details of the intent. */
  en?: RegExp;
  /** What is asked in a clause of a Chinese message. */
  zh?: RegExp;
  /** Names of tools that fit, best first; `a+b` is any name or description with these words. */
  tools?: string;
  /** What to give to the tool; the first may also fill the only text that it requires. */
  offers?: (details: Details) => Offers;
  /** What there is no tool for: “I don’t have a tool for …”. */
  wish?: string;
  /** A question that this answers. */
  example?: string;
}

const quote = '["\'`“”]?';
/** The end of a clause: punctuation, a conjunction or the end of the message. */
const end = String.raw`(?=\s*(?:[,?.!;，。？！；\n]|$)|\s+(?:and|then|also|plus|now|right now|today|please)\b)`;

const pathNames = 'path file file_path filepath filename directory dir folder uri';
const hereZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const offerPath = ({ path }: Details) => ({ [pathNames]: path });

const table = {
  fetch: {
    en: /(?<url>https?:\/\/[^\s"'<>`，。；！？）】]*[^\s"'<>`，。；！？）】.,;:!?)\]])/giu,
    tools:
      'fetch_markdown fetch fetch_text fetch_url fetch_html fetch_json +fetch fetch+page get+webpage read+url',
    offers: ({ url }) => ({ 'url uri link address': url }),
    wish: 'fetching web pages ‖ 抓取网页',
    example: 'Fetch https://example.com ‖ 抓取 https://example.com',
  },
  write: {
    en: pattern`\b(?:write|save|put)\s+["“](?<text>.+?)["”]\s+(?:to|into|in)\s+(?:(?:a|the|new|file|called|named)\s+)*${quote}(?<path>${file})|\b(?:create|write|make)\s+(?:a\s+)?(?:new\s+)?file\s+(?:called\s+|named\s+)?${quote}(?<path>${file})${quote}\s+(?:with|containing|saying|that says)\s+(?:the\s+)?(?:(?:text|words?|content)\s+)?["“]?(?<text>[^"”\n]+)["”]?`,
    zh: pattern`[“"「](?<text>.+?)[”"」]\s*(?:写入|写到|写进|保存到|存到)(?:文件)?\s*(?<path>${file})`,
    tools: 'write_file write+file save+file create+file',
    offers: ({ path, text }) => ({ 'content contents text data': text, [pathNames]: path }),
    wish: 'writing files ‖ 写入文件',
  },
  append: {
    en: pattern`\b(?:put|add|write)\s+(?<line>\S.{0,99}?)\s+(?:on|to|onto|in)\s+(?:the\s+|my\s+)?(?:(?<word>\w+)\s+list\b|(?:file\s+)?${quote}(?<path>${file}))`,
    zh: /把(?<line>.{1,40}?)(?:加到|加入|放到|添加到|写到)购物清单/gu,
    wish: 'reading and writing files ‖ 读写文件',
  },
  rank: {
    en: pattern`\b(?:which|what)\s+[^?.!\n]{0,60}?\b(?:in|of|from)\s+${quote}(?<path>${file})${quote}\s+has\s+the\s+(?<word>most|largest|highest|longest|biggest|fewest|least|smallest|lowest|shortest)\s+(?<column>[\p{L} ]{2,40}?)${end}`,
    wish: 'reading files ‖ 读取文件',
  },
  history: {
    en: /\bwhat\s+(?:did|have|was)\s+(?:i|my)\s+(?:\w+\s+)?(?:ask|say|said|question)\w*[^?.!\n]*/giu,
    zh: /我.{0,6}问(?:了|过)?.{0,4}(?:什么|哪些|啥)/gu,
  },
  help: {
    en: /\bwhat\s+can\s+you\s+do\b|\bwho\s+are\s+you\b|\bwhat\s+(?:tools|servers)\b[^?.!\n]*|^\s*help\b/giu,
    zh: /你(?:能|会|可以)(?:做|干)?(?:什么|啥|哪些)|你是谁|^\s*帮助\s*$/gu,
  },
  recall: {
    en: /\b(?:what|anything)\s+(?:(?:do|did|can)\s+)?you\s+(?:remember|know|recall)(?:\s+(?:about|of)\s+(?<about>[^?.!,\n]+))?|\bdo\s+you\s+(?:still\s+)?remember\s+(?<about>[^?.!,\n]+)/giu,
    zh: /(?:记得|记住了|知道)(?:关于)?(?:我(?=的?(?:什么|哪些|吗|啥)))?(?<about>.{0,20}?)的?(?:什么|哪些|吗|啥)/gu,
    tools: 'read_graph recall search_nodes +recall search+memory read+memory list+memories',
    offers: ({ about = '' }) => ({ 'query about q': about }),
    wish: 'remembering things ‖ 记住内容',
  },
  remember: {
    en: /\b(?:remember|memori[sz]e|keep\s+in\s+mind|make\s+a\s+note)\b(?:\s+that\b|\s*:)?\s+(?<fact>[^.!?\n]+)/giu,
    zh: /(?:记住|记一下|记下|记得)[：:\s]*(?<fact>.{2,})/gu,
    tools: 'create_entities remember +remember add+memory store+memory save+memory',
    offers: ({ fact = '' }) => ({
      'fact text content memory note observation': fact,
      entities: [{ ...entityOf(fact), observations: [fact] }],
    }),
    wish: 'remembering things ‖ 记住内容',
    example: 'Remember that my favourite colour is green ‖ 记住我喜欢绿色',
  },
  observe: {
    tools: 'add_observations add+observations',
    offers: ({ fact = '' }) => ({
      observations: [{ entityName: entityOf(fact).name, contents: [fact] }],
    }),
  },
  pick: {
    en: /\b(?:read|open|show|display|print|summari[sz]e)\s+(?:me\s+)?the\s+(?<word>first|second|third|fourth|fifth|sixth|seventh|eighth|last|\d+(?:st|nd|rd|th))\b(?:\s+(?:one|file|entry|document))?/giu,
    zh: /^(?=.*(?:读|打开|看|显示|总结)).*(?:第(?<word>[一二三四五六七八九十]|\d+)|最后一?)个/gu,
    wish: 'reading files ‖ 读取文件',
  },
  size: {
    en: /\b(?:which|what|show|find|tell)\b[^?.!\n]*?\b(?<word>largest|biggest|longest|smallest|shortest)\b[^?.!,\n]*/giu,
    zh: /^(?=.*(?:哪|什么|谁)).*(?<word>最[大长小短])/gu,
    wish: 'listing files ‖ 列出文件',
  },
  info: { tools: 'get_file_info file_info stat file+info file+stat', offers: offerPath },
  read: {
    en: pattern`\b(?:read|open|show|print|display|cat|summari[sz]e|what(?:'s|’s|\s+is)\s+in|what\s+does|contents?\s+of)\s+(?:(?:me|the|file|contents?|of|my)\s+)*${quote}${file}${quote}(?:(?:\s*,\s*|\s+and\s+)${quote}${file}${quote})*`,
    zh: /^(?=.*(?:读|打开|看|显示|总结|内容|里|是什么)).*$/gu,
    tools: 'read_text_file read_file read+file',
    offers: offerPath,
    wish: 'reading files ‖ 读取文件',
    example: 'Read welcome.md ‖ 打开 welcome.md',
  },
  time: {
    en: pattern`\b(?:what\s+time|what(?:'s|’s|\s+is)\s+the\s+(?:current\s+|local\s+)?time|time\s+is\s+it|(?:the\s+)?(?:current|local)\s+time|the\s+time|time(?=\s+in\s))(?!\s+(?:difference|zone|complexity|limit))\b(?:\s+is\s+it)?(?:\s+(?:right\s+)?now)?(?:\s+(?:in|at|for)\s+(?:the\s+)?(?<place>.+?)${end})?`,
    zh: /^(?=.*(?:几点|什么时间|(?:的|现在|当前|当地)时间|时间是|时间$)).*$/gu,
    tools: 'get_current_time current_time get_time now current+time time+now get+time',
    offers: ({ place }) => ({
      'timezone time_zone timeZone tz zone': place ? (zoneOf(place) ?? place) : hereZone,
      'city location place': place,
    }),
    wish: 'telling the time ‖ 查询时间',
    example: 'What time is it in Tokyo? ‖ 东京现在几点？',
  },
  list: {
    en: pattern`\b(?:(?:list|show|see|display)\s+(?:(?:me|all|the|my)\s+)*(?:files?|contents?|workspace|folders?|director(?:y|ies)|[\w./-]+\s+(?:folder|directory))|(?:what|which|how\s+many)\s+(?:other\s+)?(?:files?|folders?|documents?)|what(?:'s|’s|\s+is)\s+(?:there\s+)?in\s+(?:the\s+|my\s+)?(?:workspace|[\w./-]+\s+(?:folder|directory)))\b.*?${end}`,
    zh: /^(?=.*(?:文件|目录|工作区|工作空间)).*(?:哪些|什么|列|看|查|显示|都有|几个).*$/gu,
    tools: 'list_directory list_files list_dir ls list+directory list+files list+dir list+folder',
    offers: offerPath,
    wish: 'listing files ‖ 列出文件',
    example: 'What files are in the workspace? ‖ 工作区里有哪些文件？',
  },
  calculate: {
    en: arithmetic,
    tools: 'calculate calc evaluate +calculate +calculator evaluate+expression',
    offers: ({ expression }) => ({ 'expression expr formula equation input query': expression }),
    wish: 'arithmetic ‖ 计算',
    example: 'What is 12 * (3 + 4)? ‖ 计算 12 * (3 + 4)',
  },
  sample: {
    en: /\b(?:let|have|make)\b[^?.!\n]*?\bserver\b[^?.!\n]*?\bmodel\b[^?.!\n]*|\bsampling\b/giu,
    zh: /(?<chinese>服务器.*模型|采样)/gu,
    tools: 'ask_model ask+model',
    offers: ({ chinese }) => ({
      'question prompt text': chinese
        ? '写一首关于樱桃的短诗。'
        : 'Write a short poem about cherries.',
    }),
    wish: 'asking a model for a server ‖ 替服务器询问模型',
    example: 'Let a server ask the model ‖ 让服务器来问模型',
  },
  form: {
    en: /\b(?:ask|show|give|open|fill)\b[^?.!\n]*?\bform\b/giu,
    zh: /(?<chinese>表单)/gu,
    tools: 'ask_form ask+form',
    offers: ({ chinese }) => ({ language: chinese && 'zh' }),
    wish: 'showing forms ‖ 展示表单',
    example: 'Ask me with a form ‖ 给我看一张表单',
  },
  code: {
    en: /\b(?:write|show|give)\b[^?.!\n]*?\b(?:code|function|program)\b[^?.!\n]*/giu,
    zh: /代码|程序|函数/gu,
    example: 'Show me some code ‖ 写一段代码',
  },
  poem: { en: /\bpoem\b|\bhaiku\b/giu, zh: /诗/gu },
  draw: {
    en: /\b(?:draw|paint|sketch)\b[^?.!\n]*/giu,
    zh: /画/gu,
    example: 'Draw a cherry tree ‖ 画一棵樱桃树',
  },
  search: {
    en: /\b(?:search|google|look\s+up)\s+(?:(?:the\s+)?(?:web|internet|online)\s+)?(?:for\s+|about\s+)?(?<query>[^?.!\n]+)/giu,
    zh: /(?:搜索|搜一下|上网查|网上查)(?:一下)?\s*(?<query>.+)/gu,
    tools: 'web_search search_web web+search internet+search',
    offers: ({ query }) => ({ 'query q search text': query }),
    wish: 'searching the web ‖ 搜索网络',
  },
  image: {
    en: /\b(?:show|display|make|see)\b[^?.!\n]*?\b(?:image|picture|photo|drawing)\b/giu,
    zh: /图片|图像|一张图/gu,
    tools: 'show_image get_tiny_image show+image tiny+image draw+image generate+image get+image',
    wish: 'showing images ‖ 展示图片',
    example: 'Show me an image ‖ 给我看一张图片',
  },
  sound: {
    en: /\bplay\b[^?.!\n]*?\b(?:sound|tone|audio|music)\b/giu,
    zh: /播放|声音|音频/gu,
    tools: 'play_sound play+sound',
    wish: 'playing sounds ‖ 播放声音',
    example: 'Play a sound ‖ 播放一段声音',
  },
  cite: {
    en: /\bcite\b[^?.!\n]*|\b(?:show|give|find)\b[^?.!\n]*?\b(?:sources|citations)\b/giu,
    zh: /来源|引用/gu,
    tools: 'cite +cite +citations',
    offers: () => ({ 'topic query text': 'cherries' }),
    wish: 'citing sources ‖ 引用来源',
    example: 'Cite sources about cherries ‖ 引用关于樱桃的来源',
  },
  slow: {
    en: /\b(?:slow|long-running)\s+(?:task|tool)\b/giu,
    zh: /(?:慢|耗时).{0,2}(?:任务|工具)/gu,
    tools: 'slow_task +slow long+running',
    offers: () => ({ 'seconds duration': 2, steps: 4 }),
    wish: 'slow tasks ‖ 执行耗时任务',
    example: 'Run a slow task ‖ 运行一个耗时的任务',
  },
  fail: {
    en: /\b(?:tool|call)\b[^?.!\n]*?\bfails?\b/giu,
    zh: /(?<chinese>(?:工具|调用).*失败|失败的工具)/gu,
    tools: 'fail +fail throw+error',
    offers: ({ chinese }) => ({
      'message reason': chinese ? '这次失败是演示的一部分。' : 'This failure is part of the tour.',
    }),
    wish: 'failing on purpose ‖ 故意失败',
    example: 'Call a tool that fails ‖ 调用一个会失败的工具',
  },
  large: {
    en: /\b(?:large|big|huge)\s+results?\b/giu,
    zh: /很?大的?结果/gu,
    tools: 'large_result large+result big+result',
    offers: () => ({ 'kilobytes size kb': 200 }),
    wish: 'large results ‖ 返回很大的结果',
    example: 'Show a large result ‖ 给我看一个很大的结果',
  },
  again: {},
} satisfies Record<string, Skill>;

/** What the demo model knows how to do. */
export type Kind = keyof typeof table;

/** Something a person asks for. */
export type Intent = Details & { kind: Kind };

/** By kind; where two see the same words of a question, the earlier has them. */
export const skills: Record<Kind, Skill> = table;

/** The names of all skills, in their order. */
export const kinds = Object.keys(skills) as Kind[];

function pattern(parts: TemplateStringsArray, ...values: string[]): RegExp {
  return new RegExp(String.raw(parts, ...values), 'giu');
}

/** What a fact is about in a knowledge graph: the user, unless it names somebody else. */
function entityOf(fact: string): { name: string; entityType: string } {
  const subject =
    /^(?!(?:I|My|The|We|Our|This|That)\b)\p{Lu}[\p{L}'’-]*(?:\s\p{Lu}[\p{L}'’-]*)?(?=\s+(?:is|are|was|has|likes?|loves?|works?|lives?|wants?|prefers?)\b)/u;
  const [name] = subject.exec(fact) ?? [];
  return name ? { name, entityType: 'subject' } : { name: 'user', entityType: 'person' };
}
