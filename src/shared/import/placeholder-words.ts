/**
 * `${NAME}`, and what documents write where a reader has to put something of their own: `<YOUR_TOKEN>`,
 * `YOUR_API_KEY`, `your-key-here`, `My API Key`, `CHANGE_ME`, `ghp_xxxx`, `/path/to/folder`; also `{{KEY}}`, `{env:KEY}`,
 * `%KEY%` and `[YOUR KEY]`. The first group is a name, the others are paths that may well stay as they are.
 */
export const placeholder = new RegExp(
  [
    String.raw`\$\{([^\${}]{1,200})\}`,
    String.raw`\$?\{\{ ?[\w.:-]{1,100} ?\}\}`,
    String.raw`\{(?:env|file):[\w.~/-]{1,100}\}|\{[A-Z][A-Z0-9_]{2,60}\}`,
    String.raw`(?<![\w%])%[A-Z][A-Z0-9_]{2,60}%(?![\w%])`,
    String.raw`\[(?:YOUR|[Yy]our)[ _-][\w ._-]{1,60}\]`,
    String.raw`<\$?[A-Za-z][\w .-]{1,60}>`,
    String.raw`\$[A-Z][A-Z0-9_]{2,60}\b`,
    String.raw`\b[a-z][a-z0-9+]{1,20}:\/\/user(?:name)?:pass(?:word|wd)?@[^\s"']{1,200}`,
    String.raw`^(?:[Yy]our|YOUR|[Ee]nter|[Ii]nsert)(?: [\w'-]{1,30}){1,8}$`,
    String.raw`^[Mm]y (?:[\w-]{1,30} ){0,4}(?:key|token|secret|password|[Ii][Dd]|Key|Token|Secret|Password)$`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}(?:\*{3,80}|\.{3}(?=$|["'\s}]))`,
    String.raw`(?<![\w.*])(?:\*{3,80}|\.{3}$)`,
    String.raw`\byour[\w.+-]*@[\w.-]+\w`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}(?:YOUR|INSERT|ENTER)[-_][A-Z0-9]+(?:[-_][A-Z0-9]+)*\b`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}your[-_][a-z0-9]+(?:[-_][a-z0-9]+)*\b`,
    String.raw`\byour(?:(?:sub)?domain|company|org(?:ani[sz]ation)?|team|site|instance|workspace|account|tenant|host|server|database|username|password|token|api-?key|key)\b`,
    String.raw`(?<=^--(?!env=)[a-z][\w-]{0,40}=)(?:[A-Z]{1,20}_){1,5}(?:KEY|TOKEN|SECRET|PASSWORD)$`,
    String.raw`\{[\\/]?path[\\/]to[^{}]{0,80}\}`,
    String.raw`\{(?:your|my)?[-_ ]?(?:user ?name|user|name|path|project|token|key)\}`,
    String.raw`\b(?:CHANGE|REPLACE|change|replace)[-_]?(?:ME|me)\b|\bFILL[-_](?:ME[-_])?(?:IN|HERE)\b`,
    String.raw`\b(?:(?:[A-Za-z0-9]{1,10}[-_]){1,4}[xX]{3}(?:[-_][xX]{1,40}){0,6}|(?:[A-Za-z0-9]{1,10}[-_]){0,4}[xX]{4,40}(?:[-_][xX]{1,40}){0,5})\b`,
    String.raw`\b(?:[A-Z]{1,20}_){0,3}PATH_TO_[A-Z_]{1,60}(?:[\\/][\w.@ -]+)*`,
    String.raw`((?:(?<=^|[\s=,"'])(?:\.{1,2}|~|(?:[\\/][\w.-]{1,40}){1,3}))?(?:(?:[A-Za-z]:)?[\\/](?:(?:absolute|full|your)[\\/])?|(?<![\w./\\-]))(?:path[\\/-]to(?![\w-])|(?<=[\\/])PATH[\\/]TO(?![\w-]))(?:[\\/][\w.@ -]+)*)`,
    String.raw`([\\/](?:Users|home)[\\/](?:your[-_]?user(?:[-_]?name)?|username|yourname|you)(?![\w-])(?:[\\/][\w.@ -]+)*)`,
  ].join('|'),
  'g',
);

/** Whether words do not even say what they stand for: `...`, `***`, `sk-xxxx`. */
export function isBlank(words: string): boolean {
  return /^(?:[A-Za-z0-9]{1,10}[-_])?(?:\.{3}|\*+|[xX][xX_-]*)$/.test(words);
}

/** Whether a value is only the name of another: nobody's key reads `GITHUB_ACCESS_TOKEN`. */
export function isName(value: string): boolean {
  return /^(?:[A-Z]{1,20}_){2,5}(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(value);
}
