import type { InputView } from '#shared/api/input-api.ts';

const secretWords =
  /pass(?:word|phrase|code)|\bpasswd\b|\bpwd\b|\bpin\b|secret|credential|api[\s_-]?key|(?:access|auth|refresh)[\s_-]?token|private[\s_-]?key|\bcvv\b|\bcvc\b|card[\s_-]?number|credit[\s_-]?card|one[\s-]?time code|\botp\b|\b2fa\b|密码|口令|密钥|私钥|验证码|信用卡|银行卡|身份证/i;

const giving =
  'enter|type|give|provide|share|send|submit|include|write|put|paste|tell|disclose|reveal|use|add';
/** Where a refusal ends: after it something else may be asked for. */
const clauseEnds = new RegExp(
  String.raw`[.!?;:()\n。！？；：，（）]|\b(?:but|instead|rather)\b|(?:,|\band\b)(?=\s*(?:please\s+|just\s+|only\s+|then\s+)?(?:${giving})\b)`,
  'i',
);
/** From "do not enter", "never your" or “不要输入” to the end of the clause. */
const refusals = [
  String.raw`\b(?:not|never|don['’]t|mustn['’]t|shouldn['’]t|won['’]t)\s+(?:ever\s+)?(?:(?:${giving})\b|ask\b|(?:your|a|an|the|any|real)\b).*`,
  '(?:不要|请勿|切勿|勿|别|不得|不可|不应|不会|无需|不必|不用|不需要|不是)(?:在此处?|在这里|向任何人|向您|要求您?)?(?:输入|填写|填|提供|发送|透露|泄露|分享|提交|写|使用|索要|索取|询问)?(?:您的|你的|任何|真实)?(?:\\s*[a-z]+\\b|密码|口令|密钥|私钥|验证码|信用卡|银行卡|身份证).*',
].map((pattern) => new RegExp(pattern, 'i'));

/** Whether a form seems to ask for something that no server may ask for: a password, a key, a card. */
export function asksForSecret(form: Pick<Form, 'message' | 'schema'>): boolean {
  const found = secretFields(form);
  return found === 'all' || found.size > 0;
}

/** The fields that seem to want a secret; all of them where the words above the form speak of one. */
export function secretFields({
  message,
  schema,
}: Pick<Form, 'message' | 'schema'>): 'all' | Set<string> {
  if (speaksOfSecret(message)) return 'all';
  const found = Object.entries(schema.properties).filter(([name, field]) => {
    const isCalledSo = [spaced(name), field.format].some(
      (word) => isText(word) && secretWords.test(word),
    );
    return (
      isCalledSo ||
      [field.title, field.description].some((words) => isText(words) && speaksOfSecret(words))
    );
  });
  return new Set(found.map(([name]) => name));
}

/** Words that tell people NOT to give a secret do not ask for one. */
function speaksOfSecret(text: string): boolean {
  return text
    .split(clauseEnds)
    .map((clause) => refusals.reduce((rest, refusal) => rest.replace(refusal, ''), clause))
    .some((clause) => secretWords.test(clause));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

type Form = Extract<InputView, { kind: 'form' }>;

/** `apiKey` and `user_pin` as words. */
function spaced(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}
