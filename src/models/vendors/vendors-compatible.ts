import type { WireQuirks } from '../wires/wire.ts';
import type { Vendor } from './vendor.ts';

const effort: WireQuirks = { reasoning: 'reasoning_effort' };
const glmModels = ['glm-5.2', 'glm-5', 'glm-4.7', 'glm-4.7-flash', 'glm-4.5-air', 'glm-4.6v'];

/** It thinks in tags, and wants them back as they came. */
export const minimaxQuirks: WireQuirks = {
  maxTokensField: 'max_completion_tokens',
  replayReasoning: 'think_tags',
};
export const minimaxModels = ['MiniMax-M3', 'MiniMax-M2.7', 'MiniMax-M2.5', 'MiniMax-M2.1'];

/** Makers and old acquaintances that speak OpenAI's chat completions, each with its ways. */
export const compatibleVendors: readonly Vendor[] = [
  {
    ...speaksOpenAi('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
    region: 'china',
    popular: true,
    keyVariables: ['DEEPSEEK_API_KEY'],
    keysUrl: 'https://platform.deepseek.com/api_keys',
    quirks: { reasoning: 'thinking', replayReasoning: 'reasoning_content' },
  },
  {
    ...speaksOpenAi('groq', 'Groq', 'https://api.groq.com/openai/v1'),
    popular: true,
    keyVariables: ['GROQ_API_KEY'],
    keysUrl: 'https://console.groq.com/keys',
    quirks: { ...effort, maxTokensField: 'max_completion_tokens' },
  },
  {
    ...speaksOpenAi('xai', 'xAI', 'https://api.x.ai/v1'),
    popular: true,
    keyVariables: ['XAI_API_KEY'],
    keysUrl: 'https://console.x.ai',
    quirks: effort,
  },
  {
    ...speaksOpenAi('mistral', 'Mistral', 'https://api.mistral.ai/v1'),
    region: 'europe',
    popular: true,
    keyVariables: ['MISTRAL_API_KEY'],
    keysUrl: 'https://console.mistral.ai/api-keys',
    // It tells the usage without being asked and refuses fields it does not know.
    quirks: { noStreamUsage: true, noUserAfterResults: true },
  },
  {
    ...speaksOpenAi('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1'),
    popular: true,
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
    quirks: { reasoning: 'thinking', replayReasoning: 'reasoning_content' },
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
    region: 'china',
    keyVariables: ['ZHIPU_API_KEY', 'ZHIPUAI_API_KEY'],
    keysUrl: 'https://open.bigmodel.cn/usercenter/apikeys',
    quirks: { reasoning: 'thinking' },
    models: glmModels,
  },
  {
    ...speaksOpenAi('zai', 'Z.ai', 'https://api.z.ai/api/paas/v4'),
    keyVariables: ['ZAI_API_KEY'],
    keysUrl: 'https://z.ai/manage-apikey/apikey-list',
    quirks: { reasoning: 'thinking' },
    models: glmModels,
  },
  {
    ...speaksOpenAi('siliconflow', 'SiliconFlow', 'https://api.siliconflow.cn/v1'),
    region: 'china',
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
    quirks: minimaxQuirks,
    models: minimaxModels,
  },
  {
    ...speaksOpenAi(
      'volcengine',
      '火山方舟 (Volcengine Ark)',
      'https://ark.cn-beijing.volces.com/api/v3',
    ),
    region: 'china',
    keyVariables: ['ARK_API_KEY'],
    keysUrl: 'https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey',
    quirks: { reasoning: 'thinking' },
  },
  {
    ...speaksOpenAi('hunyuan', '腾讯混元 (Hunyuan)', 'https://api.hunyuan.cloud.tencent.com/v1'),
    region: 'china',
    keyVariables: ['HUNYUAN_API_KEY'],
    keysUrl: 'https://console.cloud.tencent.com/hunyuan/api-key',
  },
  {
    ...speaksOpenAi('stepfun', '阶跃星辰 (StepFun)', 'https://api.stepfun.com/v1'),
    region: 'china',
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
    ...speaksOpenAi('baidu', '百度千帆 (Qianfan)', 'https://qianfan.baidubce.com/v2'),
    region: 'china',
    keyVariables: ['QIANFAN_API_KEY'],
    keysUrl: 'https://console.bce.baidu.com/iam/#/iam/apikey/list',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('baichuan', '百川智能 (Baichuan)', 'https://api.baichuan-ai.com/v1'),
    region: 'china',
    keyVariables: ['BAICHUAN_API_KEY'],
    keysUrl: 'https://platform.baichuan-ai.com/console/apikey',
    models: ['Baichuan4-Turbo', 'Baichuan4-Air', 'Baichuan4'],
  },
  {
    ...speaksOpenAi('01ai', '零一万物 (01.AI)', 'https://api.lingyiwanwu.com/v1'),
    region: 'china',
    keyVariables: ['YI_API_KEY'],
    keysUrl: 'https://platform.lingyiwanwu.com/apikeys',
    models: ['yi-lightning', 'yi-vision-v2'],
  },
  {
    ...speaksOpenAi('xiaomi', '小米 (MiMo)', 'https://api.xiaomimimo.com/v1'),
    region: 'china',
    keyVariables: ['XIAOMI_API_KEY'],
    keysUrl: 'https://platform.xiaomimimo.com',
    quirks: { reasoning: 'thinking', replayReasoning: 'reasoning_content' },
  },
  {
    ...speaksOpenAi('upstage', 'Upstage', 'https://api.upstage.ai/v1'),
    keyVariables: ['UPSTAGE_API_KEY'],
    keysUrl: 'https://console.upstage.ai/api-keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('ai21', 'AI21', 'https://api.ai21.com/studio/v1'),
    keyVariables: ['AI21_API_KEY'],
    keysUrl: 'https://studio.ai21.com/account/api-key',
    models: ['jamba-large', 'jamba-mini'],
  },
  {
    ...speaksOpenAi('inception', 'Inception', 'https://api.inceptionlabs.ai/v1'),
    keyVariables: ['INCEPTION_API_KEY'],
    keysUrl: 'https://platform.inceptionlabs.ai/dashboard/api-keys',
  },
];

/** What all vendors have in common that speak OpenAI's chat completions. */
export function speaksOpenAi(
  name: string,
  label: string,
  baseUrl: string,
): Pick<Vendor, 'name' | 'label' | 'wire' | 'baseUrl' | 'keyVariables' | 'list'> {
  return { name, label, wire: 'openai-chat', baseUrl, keyVariables: [], list: 'openai' };
}
