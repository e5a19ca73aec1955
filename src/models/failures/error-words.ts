import type { Evidence } from './model-evidence.ts';

/** What vendors mean by the words of their refusals, as far as the words alone tell. */
export type VendorProblem = 'no-credit' | 'too-long' | 'content' | 'key' | 'region' | 'no-model';

/**
 * What a vendor's own words and codes say is wrong; undefined if they do not. Pure. Statuses mean
 * different things to different vendors, so words go first.
 */
export function classifyProblem(evidence: Evidence): VendorProblem | undefined {
  const { status, message, codes } = evidence;
  const text = `${codes.join(' ')} ${message}`;
  const isLimited = status === 429 || status === 413 || /rate[_ ]limit/i.test(text);
  if (status === 402 || credit.test(text)) return 'no-credit';
  // Those who limit an account say where to pay for more.
  if (!isLimited && /billing/i.test(text)) return 'no-credit';
  if (status !== 429 && tooLong.some((words) => words.test(text))) return 'too-long';
  if (content.test(text)) return 'content';
  if (key.test(text)) return 'key';
  if (region.test(text)) return 'region';
  return noModel.test(text) || (status === 404 && message.startsWith('model: '))
    ? 'no-model'
    : undefined;
}

const credit =
  /insufficient[_ ](quota|balance|credit|funds)|exceeded_current_quota|billing_(error|not_active|hard_limit)|credit balance|out of credits|have any credits|payment required|arrear|reached your (specified )?(api )?usage limit|欠费|余额不足/i;
const tooLong: readonly RegExp[] = [
  /context[_ ]length|context window|maximum context|(exceeds? (the )?(available )?|exceed_)context/i,
  /prompt is too long|input is too long|too many (input )?tokens|string_above_max/i,
  /exceeds? (the )?(model'?s )?maximum|maximum prompt length|prompt exceeds max/i,
  /exceeded model token limit|max_prompt_tokens_exceeded|token count of \d+ exceeds/i,
  /range of input length should be|prompt_tokens.{1,40}max_seq_len|max_new_tokens. must be <=/i,
];
const content =
  /content[_ ](filter|policy)|content_policy_violation|safety system|responsible ?ai|data_inspection_failed|prohibited_content|input was flagged/i;
const key =
  /invalid[_ ]api[_ ]key|incorrect api key|authentication[_ ]?(error|fails?)|invalid x-api-key|no api key|missing api key|api[_ ]key[_ ](not valid|invalid)/i;
const region = /unsupported_country|\b(country|region|territory|location) is not supported/i;
const noModel =
  /model[_ ]not[_ ](found|exist)|models?[ /].{1,200}(does not exist|not found)|no such model|unknown model|not a valid model|\binvalid_model\b|invalid model(?: id| name)?:/i;
