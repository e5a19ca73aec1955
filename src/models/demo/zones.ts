/** Places whose zone has another name, and Chinese names of the best known. */
const places = `Asia/Shanghai beijing shenzhen guangzhou china 北京 上海 深圳 广州 中国; Asia/Hong_Kong 香港;
Asia/Taipei 台北; Asia/Tokyo osaka kyoto japan 东京 大阪 日本; Asia/Seoul 首尔; Asia/Singapore 新加坡;
Asia/Bangkok 曼谷; Asia/Kolkata mumbai delhi new_delhi bangalore india; Asia/Dubai 迪拜;
Europe/Moscow 莫斯科; Europe/London edinburgh uk england 伦敦; Europe/Paris france 巴黎;
Europe/Berlin munich hamburg frankfurt germany 柏林; Europe/Zurich geneva;
Europe/Rome milan 罗马; Europe/Madrid barcelona 马德里;
America/New_York nyc boston washington miami 纽约; America/Chicago houston dallas;
America/Los_Angeles san_francisco seattle las_vegas 洛杉矶 旧金山; Australia/Sydney canberra 悉尼;
UTC utc gmt`;
const zones = new Map(
  places.split(/;\s/).flatMap((entry) => {
    const [zone = '', ...names] = entry.split(' ');
    return names.map((name): [string, string] => [name, zone]);
  }),
);

/** The IANA zone of a place, if it is known. */
export function zoneOf(place: string): string | undefined {
  const city = place.trim().toLowerCase().replaceAll(' ', '_');
  const isCity = (zone: string) => `/${zone.toLowerCase()}`.endsWith(`/${city}`);
  return zones.get(city) ?? Intl.supportedValuesOf('timeZone').find(isCity);
}

/** A zone as people say it: its city. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
