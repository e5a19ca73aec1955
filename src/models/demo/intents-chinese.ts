import { filePattern, splitList, type Found, type Intent } from './intent.ts';

/** What the clauses of a Chinese message ask for. */
export function findChineseIntents(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?:(?!然后|并且|另外|还有(?!哪|什么)|同时)[^，。？！；,?!;\n])+/gu,
  )) {
    const [clause] = match;
    if (!/\p{Script=Han}/u.test(clause)) continue;
    const intents = readClause(clause);
    if (intents.length === 0) continue;
    found.push({ start: match.index, end: match.index + clause.length, intents });
  }
  return found;
}

/** The first reader that understands the clause has it. */
function readClause(clause: string): Intent[] {
  for (const read of readers) {
    const intents = read(clause);
    if (intents.length > 0) return intents;
  }
  return [];
}

const readers: ((clause: string) => Intent[])[] = [
  readHistoryAndHelp,
  readWrite,
  readAppend,
  readRecall,
  readRemember,
  readPick,
  readSize,
  readFile,
  readTime,
  readListing,
  readSearch,
  readMedia,
];

function readHistoryAndHelp(clause: string): Intent[] {
  if (/我.{0,6}问(?:了|过)?.{0,4}(?:什么|哪些|啥)/u.test(clause)) return [{ kind: 'history' }];
  if (/你(?:能|会|可以)(?:做|干)?(?:什么|啥|哪些)|你是谁|^\s*帮助\s*$/u.test(clause))
    return [{ kind: 'help' }];
  return [];
}

function readWrite(clause: string): Intent[] {
  const pattern = new RegExp(
    String.raw`[“"「](.+?)[”"」]\s*(?:写入|写到|写进|保存到|存到)(?:文件)?\s*(${filePattern})`,
    'u',
  );
  const [, text, path] = pattern.exec(clause) ?? [];
  return text !== undefined && path !== undefined ? [{ kind: 'write', path, text }] : [];
}

function readAppend(clause: string): Intent[] {
  const line = /把(.{1,40}?)(?:加到|加入|放到|添加到|写到)购物清单/u.exec(clause)?.[1]?.trim();
  return line ? [{ kind: 'append', path: 'notes/shopping.txt', line }] : [];
}

function readRecall(clause: string): Intent[] {
  const [match, about] =
    /(?:你)?(?:还)?(?:记得|记住了|知道)(?:关于)?(.{0,20}?)(?:的)?(?:什么|哪些|吗|啥)/u.exec(
      clause,
    ) ?? [];
  if (match === undefined) return [];
  const subject = about?.replace(/^我$/, '').trim();
  return [{ kind: 'recall', ...(subject && { about: subject }) }];
}

function readRemember(clause: string): Intent[] {
  const fact = /(?:记住|记一下|记下|记得)[：:\s]*(.{2,})/u.exec(clause)?.[1]?.trim();
  return fact ? [{ kind: 'remember', fact }] : [];
}

const digits = '一二三四五六七八九十';

function readPick(clause: string): Intent[] {
  if (!/读|打开|看|显示|总结/u.test(clause)) return [];
  if (/最后一?个/u.test(clause)) return [{ kind: 'pick', position: -1 }];
  const word = /第([一二三四五六七八九十]|\d+)个/u.exec(clause)?.[1];
  if (word === undefined) return [];
  const number = digits.includes(word) ? digits.indexOf(word) + 1 : Number(word);
  return [{ kind: 'pick', position: number - 1 }];
}

function readSize(clause: string): Intent[] {
  if (!/哪|什么|谁/u.test(clause)) return [];
  const word = /最大|最长|最小|最短/u.exec(clause)?.[0];
  return word ? [{ kind: 'size', smallest: /小|短/u.test(word) }] : [];
}

function readFile(clause: string): Intent[] {
  if (!/读|打开|看|显示|总结|内容|里|是什么/u.test(clause)) return [];
  const verb = /^.*?(?:读取|阅读|读|打开|看看|查看|看|显示|总结|告诉我)(?:一下|下)?(?:文件)?\s*/u;
  const rest = clause.replace(verb, '').replace(/^\s*(?:请|帮我|文件)+/u, '');
  return [...rest.matchAll(new RegExp(filePattern, 'gu'))].flatMap(([match]) =>
    splitList(match).map((path): Intent => ({ kind: 'read', path })),
  );
}

const timeNoise =
  /请问|请|告诉我|帮我|帮忙|查一下|查询|查|看看|现在|当前|此刻|目前|那边|那里|当地|时间|几点|点钟|钟|什么|时候|多少|一下|[的是了呢啊吗在\s]/gu;

function readTime(clause: string): Intent[] {
  if (!/几点|什么时间|(?:的|现在|当前|当地)时间|时间是|时间$/u.test(clause)) return [];
  const places = splitList(clause)
    .map((part) => part.replaceAll(timeNoise, ''))
    .filter(Boolean);
  if (places.length === 0 || places.some((place) => place.length > 20)) return [{ kind: 'time' }];
  return places.map((place) => ({ kind: 'time', place }));
}

function readListing(clause: string): Intent[] {
  if (!/文件|目录|工作区|工作空间/u.test(clause)) return [];
  if (!/哪些|什么|列|看|查|显示|都有|几个/u.test(clause)) return [];
  const path = /["“「]?([\w./-]+)["”」]?\s*(?:这个)?(?:目录|文件夹)/u.exec(clause)?.[1];
  return [{ kind: 'list', path: path ?? '.' }];
}

function readSearch(clause: string): Intent[] {
  const query = /(?:搜索|搜一下|上网查|网上查)(?:一下)?\s*(.{1,})/u.exec(clause)?.[1]?.trim();
  return query ? [{ kind: 'search', query }] : [];
}

function readMedia(clause: string): Intent[] {
  if (/图片|图像|画一|一张图/u.test(clause)) return [{ kind: 'image' }];
  return /播放|声音|音频/u.test(clause) ? [{ kind: 'sound' }] : [];
}
