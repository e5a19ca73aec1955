import type { InputView } from '#shared/api/input-api.ts';

const secretWords =
  /pass(?:word|phrase|code)|\bpasswd\b|\bpwd\b|\bpin\b|secret|credential|api[\s_-]?key|(?:access|auth|refresh)[\s_-]?token|private[\s_-]?key|\bcvv\b|\bcvc\b|card[\s_-]?number|credit[\s_-]?card|one[\s-]?time code|\botp\b|\b2fa\b|密码|口令|密钥|私钥|验证码|信用卡|银行卡|身份证/i;

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
  if (secretWords.test(message)) return 'all';
  const found = Object.entries(schema.properties).filter(([name, field]) => {
    const words = [spaced(name), field.title, field.description, field.format];
    return words.some((word) => typeof word === 'string' && secretWords.test(word));
  });
  return new Set(found.map(([name]) => name));
}

type Form = Extract<InputView, { kind: 'form' }>;

/** `apiKey` and `user_pin` as words. */
function spaced(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}
