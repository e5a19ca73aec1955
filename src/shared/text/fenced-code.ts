/** Code or output as a Markdown block of its own, whatever it contains. */
export function fencedCode(code: string, language = ''): string {
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  const safeLanguage = /^[\w+#-]{0,30}$/.test(language) ? language.toLowerCase() : '';
  return `${fence}${safeLanguage}\n${code}${code.endsWith('\n') ? '' : '\n'}${fence}\n`;
}
