import type { Vendor } from './vendors.ts';
import type { WireQuirks } from './wires/wire.ts';

const effort: WireQuirks = { reasoning: 'reasoning_effort' };

/** Vendors that speak OpenAI's chat completions, each with its ways. */
export const compatibleVendors: readonly Vendor[] = [
  {
    ...speaksOpenAi('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
    keyVariables: ['DEEPSEEK_API_KEY'],
    keysUrl: 'https://platform.deepseek.com/api_keys',
    quirks: { reasoning: 'thinking', replayReasoning: true },
  },
  {
    ...speaksOpenAi('groq', 'Groq', 'https://api.groq.com/openai/v1'),
    keyVariables: ['GROQ_API_KEY'],
    keysUrl: 'https://console.groq.com/keys',
    quirks: { ...effort, maxTokensField: 'max_completion_tokens' },
  },
  {
    ...speaksOpenAi('xai', 'xAI', 'https://api.x.ai/v1'),
    keyVariables: ['XAI_API_KEY'],
    keysUrl: 'https://console.x.ai',
    quirks: effort,
  },
  {
    ...speaksOpenAi('mistral', 'Mistral', 'https://api.mistral.ai/v1'),
    keyVariables: ['MISTRAL_API_KEY'],
    keysUrl: 'https://console.mistral.ai/api-keys',
    // It tells the usage without being asked and refuses fields it does not know.
    quirks: { noStreamUsage: true },
  },
  {
    ...speaksOpenAi('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1'),
    keyVariables: ['OPENROUTER_API_KEY'],
    keysUrl: 'https://openrouter.ai/settings/keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('together', 'Together', 'https://api.together.xyz/v1'),
    keyVariables: ['TOGETHER_API_KEY'],
    keysUrl: 'https://api.together.ai/settings/api-keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('fireworks', 'Fireworks', 'https://api.fireworks.ai/inference/v1'),
    keyVariables: ['FIREWORKS_API_KEY'],
    keysUrl: 'https://app.fireworks.ai/settings/users/api-keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('moonshot', 'Moonshot', 'https://api.moonshot.ai/v1'),
    keyVariables: ['MOONSHOT_API_KEY'],
    keysUrl: 'https://platform.moonshot.ai/console/api-keys',
    quirks: { reasoning: 'thinking', replayReasoning: true },
  },
  {
    ...speaksOpenAi(
      'qwen',
      'Qwen (DashScope)',
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    ),
    keyVariables: ['DASHSCOPE_API_KEY'],
    keysUrl: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('zhipu', '智谱 (BigModel)', 'https://open.bigmodel.cn/api/paas/v4'),
    keyVariables: ['ZHIPU_API_KEY', 'ZHIPUAI_API_KEY'],
    keysUrl: 'https://open.bigmodel.cn/usercenter/apikeys',
    quirks: { reasoning: 'thinking' },
    models: ['glm-4.6', 'glm-4.5', 'glm-4.5-air', 'glm-4.5v'],
  },
  {
    ...speaksOpenAi('zai', 'Z.ai', 'https://api.z.ai/api/paas/v4'),
    keyVariables: ['ZAI_API_KEY'],
    keysUrl: 'https://z.ai/manage-apikey/apikey-list',
    quirks: { reasoning: 'thinking' },
    models: ['glm-4.6', 'glm-4.5', 'glm-4.5-air', 'glm-4.5v'],
  },
  {
    ...speaksOpenAi('siliconflow', 'SiliconFlow', 'https://api.siliconflow.cn/v1'),
    keyVariables: ['SILICONFLOW_API_KEY'],
    keysUrl: 'https://cloud.siliconflow.cn/account/ak',
    listQuery: 'sub_type=chat',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1'),
    keyVariables: ['CEREBRAS_API_KEY'],
    keysUrl: 'https://cloud.cerebras.ai',
    quirks: { ...effort, maxTokensField: 'max_completion_tokens' },
  },
  {
    ...speaksOpenAi('perplexity', 'Perplexity', 'https://api.perplexity.ai'),
    keyVariables: ['PERPLEXITY_API_KEY'],
    keysUrl: 'https://www.perplexity.ai/account/api/keys',
    quirks: effort,
    models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  },
  {
    ...speaksOpenAi('nvidia', 'NVIDIA', 'https://integrate.api.nvidia.com/v1'),
    keyVariables: ['NVIDIA_API_KEY'],
    keysUrl: 'https://build.nvidia.com/settings/api-keys',
  },
  {
    ...speaksOpenAi('minimax', 'MiniMax', 'https://api.minimax.io/v1'),
    keyVariables: ['MINIMAX_API_KEY'],
    keysUrl: 'https://platform.minimax.io/user-center/basic-information/interface-key',
    models: ['MiniMax-M2'],
  },
  {
    ...speaksOpenAi(
      'volcengine',
      '火山方舟 (Volcengine Ark)',
      'https://ark.cn-beijing.volces.com/api/v3',
    ),
    keyVariables: ['ARK_API_KEY'],
    keysUrl: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
    quirks: { reasoning: 'thinking' },
  },
  {
    ...speaksOpenAi('hunyuan', '腾讯混元 (Hunyuan)', 'https://api.hunyuan.cloud.tencent.com/v1'),
    keyVariables: ['HUNYUAN_API_KEY'],
    keysUrl: 'https://console.cloud.tencent.com/hunyuan/api-key',
  },
  {
    ...speaksOpenAi('stepfun', '阶跃星辰 (StepFun)', 'https://api.stepfun.com/v1'),
    keyVariables: ['STEPFUN_API_KEY'],
    keysUrl: 'https://platform.stepfun.com/interface-key',
  },
  {
    ...speaksOpenAi('cohere', 'Cohere', 'https://api.cohere.ai/compatibility/v1'),
    keyVariables: ['COHERE_API_KEY', 'CO_API_KEY'],
    keysUrl: 'https://dashboard.cohere.com/api-keys',
    quirks: { noStreamUsage: true },
  },
  {
    ...speaksOpenAi('deepinfra', 'DeepInfra', 'https://api.deepinfra.com/v1/openai'),
    keyVariables: ['DEEPINFRA_API_KEY'],
    keysUrl: 'https://deepinfra.com/dash/api_keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('sambanova', 'SambaNova', 'https://api.sambanova.ai/v1'),
    keyVariables: ['SAMBANOVA_API_KEY'],
    keysUrl: 'https://cloud.sambanova.ai/apis',
  },
  {
    ...speaksOpenAi('novita', 'Novita', 'https://api.novita.ai/openai/v1'),
    keyVariables: ['NOVITA_API_KEY'],
    keysUrl: 'https://novita.ai/settings/key-management',
  },
  {
    // Its token opens more than models, so it does not make a provider appear by itself.
    ...speaksOpenAi('huggingface', 'Hugging Face', 'https://router.huggingface.co/v1'),
    keysUrl: 'https://huggingface.co/settings/tokens',
    quirks: effort,
  },
  {
    ...speaksOpenAi('vercel', 'Vercel AI Gateway', 'https://ai-gateway.vercel.sh/v1'),
    keyVariables: ['AI_GATEWAY_API_KEY'],
    keysUrl: 'https://vercel.com/dashboard/ai-gateway/api-keys',
    quirks: effort,
  },
];

function speaksOpenAi(
  name: string,
  label: string,
  baseUrl: string,
): Pick<Vendor, 'name' | 'label' | 'wire' | 'baseUrl' | 'keyVariables' | 'list'> {
  return { name, label, wire: 'openai-chat', baseUrl, keyVariables: [], list: 'openai' };
}
