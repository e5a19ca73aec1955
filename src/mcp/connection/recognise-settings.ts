import type { EndCause, Recogniser } from './end-cause.ts';

const variableName = /\b(?!ERR_|NODE_|DEP_|EAI_|RUST_BACKTRACE)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const lacking =
  /required|missing|KeyError|not (?:set|provided|found|defined|configured|specified)|must (?:be|set|have|provide)|please (?:set|provide|add|configure)|\bset(?:ting)? (?:it|the|[A-Z])|to be set|provide|undefined|empty|no .*(?:key|token)|\bpass\b|\bexport [A-Z]|need|\bwithout (?:an? )?[A-Z]|could not resolve placeholder|缺少|缺失|未设置|未配置|请设置|请配置|需要|不能为空|設定|必要|fehlt|falta|manquant/i;

const variable: Recogniser = (line, { config }) => {
  if (!lacking.test(line)) return undefined;
  const single =
    /\b([A-Z][A-Z0-9]{2,})\b(?= (?:environment|env) var)/.exec(line)?.[1] ??
    /\b[Ee]nv(?:ironment)? variables?:? ["'`]?([A-Z][A-Z0-9]{2,})\b/.exec(line)?.[1] ??
    /^(?:\w*Error: )?([A-Z][A-Z0-9]{2,}) is (?:required|missing|not set)\b/.exec(line)?.[1] ??
    /\bexport ([A-Z][A-Z0-9_]+)=/.exec(line)?.[1];
  const named =
    /\benv(?:ironment)?(?: variables?)? ([A-Z][A-Z0-9_]+)\b/.exec(line)?.[1] ??
    /\benv(?:ironment)? var(?:iable)?s? [`'"](\w+)[`'"]/.exec(line)?.[1];
  const found = line.match(variableName) ?? (single ? [single] : []);
  const names = [...new Set([...(named ? [named] : []), ...found])].filter(
    (name) => !Object.hasOwn(config.env, name),
  );
  // Of several that would do, the first is asked for.
  const needed = names.slice(0, /\bor\b/i.test(line) ? 1 : 5);
  return needed.length > 0 ? { kind: 'variable', names: needed } : undefined;
};

/** A word of its command line that it does not know or misses: what else it writes is its usage. */
const wrongWord: Recogniser = (line) =>
  /\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|unsupported) (?:option|argument|flag|command|parameter)(?:\(s\)|s)?:? ['"`]?-|no (?:command|flag) registered for|flag provided but not defined|\bmissing (?:argument|option) '|required (?:arguments were not provided|flag\(s\))|run again with the --allow|bad option: -|executable file not found in \$PATH|is not a docker command|could not find or load main class|no main manifest attribute|invalid reference format|not enough non-option arguments|missing \d+ required arg|is not a valid git repository|directories are accessible|script or alias could not be found/i.test(
    line,
  )
    ? { kind: 'argument' }
    : undefined;

const argument: Recogniser = (line) =>
  /^usage\b|(?:command[- ]line|required|positional) arguments?|missing (?:required )?(?:argument|option|parameter)|required option|you must specify|unknown (?:option|argument|command|flag)|unrecognized (?:option|argument)|please provide .*argument|invalid (?:argument|option)\b|too (?:many|few) arguments|is already in use by container|did not resolve to an alias/i.test(
    line,
  ) || /(?:required|missing|provide).*\s--\w/i.test(line)
    ? { kind: 'argument' }
    : undefined;

/** A service that knows who asks, and does not let it in. */
const refused: Recogniser = (line) =>
  /\b40[13]:? (?:Unauthorized|Forbidden)|(?:status code|failed:?) \(?40[13]\b|\b(?:jwt|tokens?|session)\b.{0,40} expired|expired ?token|token_expired|\binvalid_auth\b|\bNOAUTH\b|\bWRONGPASS\b|missing authentication credentials|\bbad credentials|(?:password )?authentication failed|Access denied for user|\binvalid (?:[\w-]+ ){0,2}(?:api[ _-]?key|credentials|(?:access )?token|license key)\b|(?:api[ _-]?key|credentials|token|license key) (?:is |are )?(?:invalid|expired|revoked)/i.test(
    line,
  )
    ? { kind: 'refused' }
    : undefined;

const busy: Recogniser = (line) =>
  /\b429\b.*too many requests|too many requests.*\b429\b|status code 429\b|toomanyrequests|^too many requests - |rate limit (?:exceeded|reached)/i.test(
    line,
  )
    ? { kind: 'busy' }
    : undefined;

/** A sign-in that it leaves to its own program. */
const login: Recogniser = (line) => {
  const command =
    /\brun:? [`'"]([\w@./-]+(?: [\w@./-]+){0,3} (?:log-?in|auth|configure|install)(?: [\w-]+){0,2})[`'"]/i.exec(
      line,
    )?.[1] ?? /(?:please run:|\brun) +([a-z-]+(?: [a-z-]+){0,2} login)\b/.exec(line)?.[1];
  return command === undefined ? undefined : { kind: 'command', command };
};

/** Something that it was to be told is missing or wrong, and it does not say by which name. */
export const wrongSetting = (line = ''): EndCause | undefined =>
  /\binvalid (?:[\w-]+ ){0,3}(?:url|uri|connection string|credentials|configuration|key|token)\b|\bconnection string .*missing|(?:unable to locate|default) credentials\b|\bdatabase "[^"]*" does not exist|\(os error 2\)|\b(?:url|uri|key|token|secret|password|host|credentials?|config(?:uration)?|id)\b.{0,40}\b(?:(?:can ?not|must not|can't) be empty|(?:is|are) (?:required|missing|not (?:set|provided|configured)))|\bmissing (?:[\w-]+ ){0,3}(?:key|token|secret|password|credentials)\b|Field required|Missing (?:the )?(?:required )?(?:config\w*|settings?|options?)\b|\b\w+(?:Url|Key|Token|Secret|Host) is required|not valid JSON|in JSON at position|authentication method|profile \([^)]*\) could not be found|unable to detect a project|\bcontext "[^"]*" does not exist|\bNotPresent$/i.test(
    line,
  )
    ? { kind: 'setting' }
    : undefined;

/** What it should be told. In this order: what is sure before what is likely. */
export const settingRecognisers: readonly Recogniser[] = [wrongWord, variable, login];
export const argumentRecognisers: readonly Recogniser[] = [refused, busy, argument];
