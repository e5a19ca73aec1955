import type { ModelCapabilities } from '#shared/vocabulary/model.ts';

/** What most models can; an adapter learns from a refusal where this was too much. */
const usual: ModelCapabilities = {
  tools: true,
  imagesIn: true,
  audioIn: false,
  filesIn: false,
  imagesOut: false,
  reasoning: false,
};

const textOnly = { imagesIn: false };
const thinks = { reasoning: true };
const reads = { imagesIn: true, filesIn: true };

/**
 * What is known of models by their names. Every rule that fits counts, later ones over earlier ones;
 * a name is given without its vendor and in lower case.
 */
const rules: readonly (readonly [RegExp, Partial<ModelCapabilities>])[] = [
  // OpenAI
  [/^(gpt-3\.5|davinci|babbage)/, { ...textOnly, contextTokens: 16_385, outputTokens: 4096 }],
  [/^gpt-4(-0|-32k|$)/, { ...textOnly, contextTokens: 8192 }],
  [/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-4\.5)/, { ...reads, contextTokens: 128_000 }],
  [/^gpt-4\.1/, { ...reads, contextTokens: 1_047_576, outputTokens: 32_768 }],
  [/^gpt-[5-9]/, { ...reads, ...thinks, contextTokens: 400_000, outputTokens: 128_000 }],
  [/^gpt-[5-9][\d.]*-chat/, { reasoning: false, contextTokens: 128_000, outputTokens: 16_384 }],
  [/^o[1-9](-|$)/, { ...reads, ...thinks, contextTokens: 200_000, outputTokens: 100_000 }],
  [/^o1-(mini|preview)|^o3-mini/, { ...textOnly, filesIn: false }],
  [/^o1-(mini|preview)/, { tools: false, contextTokens: 128_000 }],
  [/audio/, { audioIn: true }],
  [/^gpt-oss/, { ...textOnly, ...thinks, contextTokens: 131_072 }],
  // Anthropic
  [/^claude/, { ...reads, ...thinks, contextTokens: 200_000, outputTokens: 64_000 }],
  [/^claude-opus-4(-0|-1|-2|$)/, { outputTokens: 32_000 }],
  [/^claude-(3-(opus|sonnet|haiku)|2|instant)/, { reasoning: false, outputTokens: 4096 }],
  [/^claude-3[.-]5/, { reasoning: false, outputTokens: 8192 }],
  // Google
  [/^gemini/, { ...reads, audioIn: true, contextTokens: 1_048_576, outputTokens: 8192 }],
  [/^gemini-(2\.5|[3-9])/, { ...thinks, outputTokens: 65_536 }],
  [/^gemini.*-image/, { imagesOut: true, tools: false, reasoning: false, audioIn: false }],
  [/^gemma/, { ...textOnly, tools: false }],
  [/^gemma-?3(?!.*\b(270m|1b)\b)/, { imagesIn: true, contextTokens: 131_072 }],
  [/^gemma-?[4-9]/, { imagesIn: true, tools: true, ...thinks }],
  // Others
  [/^deepseek/, { ...textOnly, contextTokens: 131_072 }],
  [/^deepseek-(chat|v3\.[1-9]|v[4-9])/, thinks],
  [/^(qwen|qwq)/, { ...textOnly, contextTokens: 131_072 }],
  [/^qwen-?3(?!.*(instruct|coder))/, thinks],
  [/^qwen-?3\.[5-9]/, { imagesIn: true, ...thinks, contextTokens: 262_144 }],
  [/^glm/, { ...textOnly, contextTokens: 131_072 }],
  [/^glm-(4\.[5-9]|[5-9])/, thinks],
  [/^glm-(4\.[6-9]|[5-9])/, { contextTokens: 204_800 }],
  [/^glm-[\d.]+v/, { imagesIn: true }],
  [/^kimi-k2/, { ...textOnly, contextTokens: 262_144 }],
  [/^kimi-k(2\.[5-9]|[3-9])/, { imagesIn: true, ...thinks }],
  [/^moonshot-v1/, textOnly],
  [/^(mi[sx]tral|ministral|codestral|devstral|magistral|open-mi)/, { contextTokens: 131_072 }],
  [/^(mixtral|codestral|devstral|open-mi|mistral-(7b|nemo))/, textOnly],
  [/^magistral/, thinks],
  [/^(meta-)?llama-?[23](?!.*vision)/, textOnly],
  [/^(meta-)?llama-?3\.[1-9]/, { contextTokens: 131_072 }],
  [/^(meta-)?llama-?2/, { tools: false, contextTokens: 4096 }],
  [/^grok-[23](?!.*vision)/, { ...textOnly, contextTokens: 131_072 }],
  [/^grok-(3-mini|[4-9]|code)/, { ...thinks, contextTokens: 256_000 }],
  [/^grok-4(\.\d+)?-fast/, { contextTokens: 2_000_000 }],
  [/^grok-code/, textOnly],
  [/^grok.*non-reasoning/, { reasoning: false }],
  [/^phi/, textOnly],
  [/^command/, { ...textOnly, contextTokens: 128_000 }],
  [/^sonar/, { tools: false, contextTokens: 128_000 }],
  [/^minimax-m/, { ...textOnly, ...thinks, contextTokens: 204_800 }],
  // What names say themselves, whatever the vendor
  [
    /(^|[-_.])(vl|vlm|vision|omni|llava|pixtral|internvl\d*|minicpm-v)([-_.:\d]|$)/,
    { imagesIn: true },
  ],
  [/thinking|reasoner|reasoning|(^|[-_])r1([-_:]|$)|^qwq/, thinks],
  [/non-(reasoning|thinking)/, { reasoning: false }],
];

/** Names of models that embed, listen, speak, draw or judge: nobody can talk with them. */
const silent =
  /embed|\bbge-|rerank|whisper|transcri|\btts\b|-tts|speech|moderation|guard(?!rail)|dall-e|gpt-image|chatgpt-image|imagen-|\bveo-|sora|realtime|computer-use|davinci-002|babbage-002|stable-diffusion|flux|\bocr\b|-live-|native-audio|robotics|\baqa\b|lyria/;

/** What a model can do: what its vendor says, else what its name says, else what most can. Pure. */
export function capabilitiesOf(
  model: string,
  told: { [Key in keyof ModelCapabilities]?: ModelCapabilities[Key] | undefined } = {},
): ModelCapabilities {
  const name = bareName(model);
  const capabilities = { ...usual, ...contextInName(name) };
  for (const [pattern, known] of rules) if (pattern.test(name)) Object.assign(capabilities, known);
  for (const [key, value] of Object.entries(told))
    if (value !== undefined) Object.assign(capabilities, { [key]: value });
  return capabilities;
}

/** Whether a vendor's model can hold a conversation, as far as its name tells. */
export function isConversational(model: string): boolean {
  return !silent.test(bareName(model));
}

/** `org/Name:free` and `accounts/x/models/name` are the same model to the rules. */
function bareName(model: string): string {
  return (model.split('/').at(-1) ?? model).toLowerCase();
}

/** Some names end with their size: `moonshot-v1-32k`. */
function contextInName(name: string): Partial<ModelCapabilities> {
  const thousands = /-(\d{1,4})k(-|$)/.exec(name)?.[1];
  return thousands === undefined ? {} : { contextTokens: Number(thousands) * 1024 };
}
