/** Places whose zone bears another name; Chinese names of the best known. */
const zoneOfPlace: Record<string, string> = {
  beijing: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  guangzhou: 'Asia/Shanghai',
  china: 'Asia/Shanghai',
  北京: 'Asia/Shanghai',
  上海: 'Asia/Shanghai',
  深圳: 'Asia/Shanghai',
  广州: 'Asia/Shanghai',
  中国: 'Asia/Shanghai',
  香港: 'Asia/Hong_Kong',
  台北: 'Asia/Taipei',
  东京: 'Asia/Tokyo',
  大阪: 'Asia/Tokyo',
  日本: 'Asia/Tokyo',
  osaka: 'Asia/Tokyo',
  kyoto: 'Asia/Tokyo',
  japan: 'Asia/Tokyo',
  首尔: 'Asia/Seoul',
  新加坡: 'Asia/Singapore',
  曼谷: 'Asia/Bangkok',
  mumbai: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  india: 'Asia/Kolkata',
  迪拜: 'Asia/Dubai',
  莫斯科: 'Europe/Moscow',
  伦敦: 'Europe/London',
  巴黎: 'Europe/Paris',
  柏林: 'Europe/Berlin',
  罗马: 'Europe/Rome',
  马德里: 'Europe/Madrid',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  germany: 'Europe/Berlin',
  geneva: 'Europe/Zurich',
  barcelona: 'Europe/Madrid',
  milan: 'Europe/Rome',
  france: 'Europe/Paris',
  edinburgh: 'Europe/London',
  uk: 'Europe/London',
  england: 'Europe/London',
  纽约: 'America/New_York',
  洛杉矶: 'America/Los_Angeles',
  旧金山: 'America/Los_Angeles',
  nyc: 'America/New_York',
  boston: 'America/New_York',
  washington: 'America/New_York',
  miami: 'America/New_York',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  'las vegas': 'America/Los_Angeles',
  houston: 'America/Chicago',
  dallas: 'America/Chicago',
  悉尼: 'Australia/Sydney',
  canberra: 'Australia/Sydney',
  utc: 'UTC',
  gmt: 'UTC',
};

/** The IANA zone of a place, if it is known. */
export function zoneOf(place: string): string | undefined {
  const name = place.trim().toLowerCase();
  const known = zoneOfPlace[name];
  if (known) return known;
  const city = name.replaceAll(' ', '_');
  return Intl.supportedValuesOf('timeZone').find((zone) => {
    const lower = zone.toLowerCase();
    return lower === city || lower.endsWith(`/${city}`);
  });
}

/** A zone as people say it: its city. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
