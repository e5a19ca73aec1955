import { CeriseError } from '#shared/errors/errors.ts';
import { joinWords, say } from '#shared/errors/sentence.ts';

/** Places that people name and that are not the last part of a zone's own name. */
const places: Record<string, string> = {
  'America/Chicago': 'houston dallas austin 芝加哥 休斯敦',
  'America/Los_Angeles':
    'sanfrancisco seattle sandiego siliconvalley lasvegas 洛杉矶 旧金山 西雅图 硅谷',
  'America/New_York':
    'washington washingtondc boston miami atlanta philadelphia nyc 纽约 华盛顿 波士顿',
  'America/Sao_Paulo': 'riodejaneiro brasilia 圣保罗 里约热内卢',
  'America/Toronto': 'montreal ottawa 多伦多',
  'America/Vancouver': '温哥华',
  'America/Mexico_City': '墨西哥城',
  'Africa/Cairo': '开罗',
  'Asia/Bangkok': '曼谷',
  'Asia/Dubai': 'abudhabi 迪拜 阿布扎比',
  'Asia/Ho_Chi_Minh': 'hochiminhcity saigon hanoi 河内 胡志明市',
  'Asia/Hong_Kong': '香港',
  'Asia/Jakarta': '雅加达',
  'Asia/Kathmandu': 'kathmandu 加德满都',
  'Asia/Kolkata':
    'kolkata mumbai delhi newdelhi bangalore bengaluru chennai india 孟买 新德里 印度',
  'Asia/Kuala_Lumpur': '吉隆坡',
  'Asia/Manila': '马尼拉',
  'Asia/Seoul': 'busan korea southkorea 首尔 韩国',
  'Asia/Shanghai':
    'beijing peking shenzhen guangzhou hangzhou chengdu china 北京 上海 深圳 广州 杭州 成都 中国',
  'Asia/Singapore': '新加坡',
  'Asia/Taipei': '台北',
  'Asia/Tokyo': 'osaka kyoto 东京 東京 大阪 京都 日本',
  'Australia/Melbourne': '墨尔本',
  'Australia/Sydney': 'canberra 悉尼',
  'Europe/Amsterdam': 'rotterdam thehague 阿姆斯特丹',
  'Europe/Berlin': 'munich münchen frankfurt hamburg cologne germany 柏林 慕尼黑 法兰克福 德国',
  'Europe/Istanbul': 'ankara 伊斯坦布尔',
  'Europe/Kyiv': 'kyiv kiev 基辅',
  'Europe/London': 'edinburgh manchester oxford cambridge england uk 伦敦 英国',
  'Europe/Madrid': 'barcelona spain 马德里 巴塞罗那',
  'Europe/Moscow': 'saintpetersburg 莫斯科',
  'Europe/Paris': 'lyon france 巴黎 法国',
  'Europe/Rome': 'milan venice florence italy 罗马 米兰',
  'Europe/Zurich': 'geneva bern basel switzerland 苏黎世 日内瓦',
  'Pacific/Auckland': 'wellington 奥克兰',
  'Pacific/Honolulu': 'hawaii 夏威夷 檀香山',
};

let index: Map<string, string> | undefined;

/** The IANA zone for a zone name, a UTC offset or a city. Throws with near names when unknown. */
export function resolveTimeZone(name: string): string {
  const found = zoneIndex().get(simplify(name)) ?? acceptedByIntl(name.trim());
  if (found) return found;
  const near = nearZones(name);
  throw new CeriseError(
    'invalid_arguments',
    joinWords(
      say(
        'zone-unknown',
      )`Unknown time zone "${name}". Use an IANA name such as Europe/Berlin, an offset such as +02:00, or a large city.`,
      near.length > 0 ? say('did-you-mean')`Did you mean ${near.join(', ')}?` : undefined,
    ),
  );
}

function zoneIndex(): Map<string, string> {
  if (index) return index;
  index = new Map([['utc', 'UTC']]);
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    index.set(simplify(zone), zone);
    index.set(simplify(zone.split('/').at(-1) ?? zone), zone);
  }
  for (const [zone, names] of Object.entries(places)) {
    index.set(simplify(zone), zone);
    for (const name of names.split(' ')) index.set(simplify(name), zone);
  }
  return index;
}

function acceptedByIntl(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function nearZones(name: string): string[] {
  const wanted = simplify(name);
  if (wanted.length < 3) return [];
  const near = [...zoneIndex()].filter(
    ([key]) => key.includes(wanted) || (key.length > 3 && wanted.includes(key)),
  );
  return [...new Set(near.map(([, zone]) => zone))].slice(0, 5);
}

/** Case, accents, blanks and underscores do not tell places apart. */
function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\s_.'-]/gu, '')
    .toLowerCase()
    .replace(/(?<=\p{Script=Han}{2})市$/u, '');
}
