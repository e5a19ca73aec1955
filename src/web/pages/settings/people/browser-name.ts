const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** What a person calls the browser that says this of itself; null where nobody could tell. */
export function browserName(said: string | undefined): string | null {
  const find = (among: [RegExp, string][]) =>
    among.find(([pattern]) => pattern.test(said ?? ''))?.[1];
  const browser = find(browsers);
  return browser ? [browser, find(systems)].filter(Boolean).join(' · ') : null;
}
