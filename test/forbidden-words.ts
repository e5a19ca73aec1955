type Wording = readonly [wrong: RegExp, instead: string];

/** Words that read translated, and what a native speaker would write instead. */
const forbidden: readonly Wording[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\b(?:some|every)body\b/i, 'someone, everyone'],
  [/\bnobody\b/i, 'no one, or turn the sentence round'],
  [/\b(?:a|this|the) person\b/i, 'you, or the user'],
  [/\bthings?\b/i, 'name it'],
  [/\b(?:un)?told\b/i, 'say what happens'],
  [/\bas the system\b/i, 'System'],
  [/\bas the (?:model|conversation|chat)\b/i, 'Model default, Same as chat'],
  [/\bneither\b.*\b(?:names|says)\b/i, 'unless … sets its own'],
  [/\bat once\b/i, 'immediately, automatically'],
  [/\bof late\b/i, 'recently'],
  [/\bused last\b/i, 'recent'],
  [/(?<!counts )\bas a rule\b/i, 'usually'],
  [/\bby hand\b/i, 'manually'],
  [/\bat hand\b/i, 'available, ready'],
  [/\bruns out\b/i, 'expires'],
  [/\bspan of time\b/i, 'time range'],
  [/^why\?$/i, 'Status'],
  [/\bnothing waits\b/i, 'You’re all caught up'],
  [/\bhow long this counts\b/i, 'Remember'],
  [/\bkeep the arguments\b/i, 'Discard changes'],
  [/\bend what you\b/i, 'Sign out devices you don’t recognise'],
  [/\bsays? of\b/i, 'description, labels'],
  [/\bkept of\b/i, 'your data'],
  [/^of these\b|\bof these (?:cached|thinking)\b/i, 'including'],
  [/\bwhat (?:is left|came of|it may do)\b/i, 'a noun'],
  [/\bmost tokens\b/i, 'max output tokens'],
  [/^tokens (?:in|out|read|written)$/i, 'input tokens, output tokens'],
  [/\brepeatable without effect\b/i, 'idempotent'],
  [/\bno version is fixed\b/i, 'version not pinned'],
  [/\b(?:its|their|your) rights\b/i, 'permissions'],
  [/\beverything you may\b/i, 'full access'],
  [/\bmay (?:not do|do) this\b/i, 'You don’t have permission to …'],
  [/\bmay hold only\b/i, 'name the allowed characters'],
  [/\bthere may be \d/i, 'You can add up to …'],
  [/\bmust be filled in\b/i, 'This field is required'],
  [/\b(?:is|are) (?:not there|t?here already)\b/i, 'not found, already exists'],
  [/\bnot known\b/i, 'unknown'],
  [/\bno (?:model|server|assistant|resource|tool) fits\b/i, 'No matching …'],
  [/\bspeaks? this dialect\b/i, 'works with'],
  [/\bwords of (?:an? )?untrusted\b/i, 'untrusted content'],
  [/\blink of the console\b/i, 'terminal link'],
  [/\b(?:gone for good|brought back)\b/i, 'permanently deleted; can’t be undone'],
  [/\bbrings? in\b/i, 'import'],
  [/\btake (?:it )?back\b/i, 'undo, cancel, edit'],
  [/\bswitch(?:ed)? (?:on|off)\b/i, 'enable, disable'],
  [/\bsum(?:s|med|ming)? up\b/i, 'summarise'],
  [/\bwrite on\b/i, 'keep typing'],
  [/\bmakes? a new line\b/i, 'adds a new line'],
  [/\bgoes? on (?:to|work)/i, 'keeps working'],
  [/\bone on each line\b/i, 'one per line'],
  [/\bkeep to the\b/i, 'follow'],
  [/\b(?:the )?other side\b/i, 'name who it is'],
  [/\bagain and again\b/i, 'repeatedly'],
  [/\bpresent password\b/i, 'current password'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'in the meantime, or nothing'],
  [/\bany more\b/i, 'no longer'],
  [/\bgo(?:es|ing)? on\b/i, 'continue'],
  [/\bcarried out\b/i, 'ran, was done'],
  [/\bgiven? up\b/i, 'stopped waiting'],
  [/\bturn(?:s|ed)? (?:it |them )?(?:on|off)\b/i, 'enable, disable'],
  [/\b(?:look|say|tell) into\b/i, 'check'],
  [/\bgone for good\b|\bfor good\b/i, 'permanently'],
  [/\b(?:silence|time) limit\b/i, 'timeout'],
  [/\b(?:our|we)\b/i, 'Cerise'],
  [/\bexpiration\b/i, 'expiry'],
  [/\bof your own\b/i, 'your own'],
  [/\bit begins\b/i, 'it starts with'],
  [/\b(?:recogni|summari|organi|minimi)z(?:e|es|ed|ing)\b/i, 'British spelling: -ise'],
  [/\b(?:favorites?|licenses?|canceled|labeled)\b/i, 'British spelling'],
];

/** Words in Chinese that are not ours, and marks of another script between Chinese ones. */
const forbiddenChinese: readonly Wording[] = [
  [/词元/, 'Token'],
  [/应答/, '响应'],
  [/接口地址/, '基础 URL'],
  [/厂商/, '服务商'],
  [/我们/, 'Cerise'],
  [/为什么？/, '诊断'],
  [/按一般规则/, '跟随默认规则'],
  [/可以安全重复/, '可安全重试'],
  [/带我看看/, '快速导览'],
  [/\p{Script=Han}[,;:?!](?!\d)|[,;:?!]\p{Script=Han}/u, 'a full-width mark'],
  [/\p{Script=Han}[A-Za-z]|[A-Za-z]\p{Script=Han}/u, 'a space between Latin and Chinese'],
];

/** Second names of what users see; code and its documents may have words of their own. */
const otherNames: readonly Wording[] = [
  [/\b(?:conversation|topic)s?\b/i, 'chat'],
  [/\bvendors?\b/i, 'provider'],
  [/\b(?:person|people)\b/i, 'user'],
  [/\bpictures?\b/i, 'image'],
  [/\bsafe to repeat\b/i, 'safe to retry'],
  [/\b(?:base|server|full|web site) address\b/i, 'URL'],
  [/\b(?:reply|replies)\b/i, 'answer'],
  [/\buser name\b/i, 'username'],
  [/\blog ?(?:in|out|on)\b/i, 'sign in, sign out'],
  [/\bapproval rules?\b/i, 'tool permissions'],
  [/\bswitched (?:on|off)\b/i, 'enabled, disabled'],
];

/** Every text that reads translated, as `id: word → what to write instead`. */
export function forbiddenIn(texts: ReadonlyMap<string, string>): string[] {
  return find(forbidden, texts);
}

/** Every Chinese text with such a word or mark, in the same form. */
export function forbiddenInChinese(texts: ReadonlyMap<string, string>): string[] {
  return find(forbiddenChinese, texts);
}

/** Every text for users with a second name, in the same form. */
export function otherNamesIn(texts: ReadonlyMap<string, string>): string[] {
  return find(otherNames, texts);
}

function find(wordings: readonly Wording[], texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([id, text]) => {
    // What stands in braces is the name of a value, which nobody reads.
    const words = text.replaceAll(/\{\w+(?=[,}])/g, '{');
    return wordings.flatMap(([wrong, instead]) => {
      const word = wrong.exec(words)?.[0];
      return word === undefined ? [] : [`${id}: ${word} → ${instead}`];
    });
  });
}
