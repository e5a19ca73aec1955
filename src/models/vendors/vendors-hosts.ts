import type { WireQuirks } from '../wires/wire.ts';
import type { Vendor } from './vendor.ts';
import { minimaxModels, minimaxQuirks, speaksOpenAi } from './vendors-compatible.ts';

const effort: WireQuirks = { reasoning: 'reasoning_effort' };

/** Those who run the models of others, and gateways to them. */
export const hostingVendors: readonly Vendor[] = [
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
  {
    // As above: the token is that of the whole account.
    ...speaksOpenAi('github', 'GitHub Models', 'https://models.github.ai/inference'),
    keysUrl: 'https://github.com/settings/tokens',
    quirks: effort,
    models: ['openai/gpt-4.1', 'openai/o4-mini', 'deepseek/deepseek-v3-0324', 'xai/grok-3-mini'],
  },
  {
    ...speaksOpenAi('modelscope', 'ModelScope', 'https://api-inference.modelscope.cn/v1'),
    region: 'china',
    keyVariables: ['MODELSCOPE_API_KEY'],
    keysUrl: 'https://modelscope.cn/my/myaccesstoken',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('ollama-cloud', 'Ollama Cloud', 'https://ollama.com/v1'),
    keyVariables: ['OLLAMA_API_KEY'],
    keysUrl: 'https://ollama.com/settings/keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('nebius', 'Nebius', 'https://api.tokenfactory.nebius.com/v1'),
    region: 'europe',
    keyVariables: ['NEBIUS_API_KEY'],
    keysUrl: 'https://tokenfactory.nebius.com',
    quirks: effort,
  },
  {
    ...speaksOpenAi('baseten', 'Baseten', 'https://inference.baseten.co/v1'),
    keyVariables: ['BASETEN_API_KEY'],
    keysUrl: 'https://app.baseten.co/settings/api_keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('chutes', 'Chutes', 'https://llm.chutes.ai/v1'),
    keyVariables: ['CHUTES_API_KEY'],
    keysUrl: 'https://chutes.ai/app/api',
  },
  {
    ...speaksOpenAi('friendli', 'Friendli', 'https://api.friendli.ai/serverless/v1'),
    keyVariables: ['FRIENDLI_TOKEN'],
    keysUrl: 'https://friendli.ai/suite',
  },
  {
    ...speaksOpenAi('scaleway', 'Scaleway', 'https://api.scaleway.ai/v1'),
    region: 'europe',
    keysUrl: 'https://console.scaleway.com/iam/api-keys',
  },
  {
    ...speaksOpenAi('ovhcloud', 'OVHcloud', 'https://oai.endpoints.kepler.ai.cloud.ovh.net/v1'),
    region: 'europe',
    keyVariables: ['OVHCLOUD_API_KEY'],
    keysUrl: 'https://endpoints.ai.cloud.ovh.net',
  },
  {
    ...speaksOpenAi('venice', 'Venice', 'https://api.venice.ai/api/v1'),
    keyVariables: ['VENICE_API_KEY'],
    keysUrl: 'https://venice.ai/settings/api',
    quirks: effort,
  },
  {
    ...speaksOpenAi('poe', 'Poe', 'https://api.poe.com/v1'),
    keyVariables: ['POE_API_KEY'],
    keysUrl: 'https://poe.com/api_key',
  },
  {
    ...speaksOpenAi('requesty', 'Requesty', 'https://router.requesty.ai/v1'),
    keyVariables: ['REQUESTY_API_KEY'],
    keysUrl: 'https://app.requesty.ai/api-keys',
    quirks: effort,
  },
  {
    ...speaksOpenAi('aihubmix', 'AiHubMix', 'https://aihubmix.com/v1'),
    keyVariables: ['AIHUBMIX_API_KEY'],
    keysUrl: 'https://aihubmix.com/token',
    quirks: effort,
  },
  {
    ...speaksOpenAi('302ai', '302.AI', 'https://api.302.ai/v1'),
    keyVariables: ['302AI_API_KEY'],
    keysUrl: 'https://dash.302.ai/apis/list',
    quirks: effort,
  },
  {
    ...speaksOpenAi('bedrock', 'Amazon Bedrock', 'https://bedrock-mantle.us-east-1.api.aws/v1'),
    keysUrl: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    quirks: effort,
  },
];

/**
 * The same vendors elsewhere. Their keys have the names of the others', so that none of them is set up
 * automatically: a key must not go to the wrong country.
 */
export const regionalVendors: readonly Vendor[] = [
  {
    ...speaksOpenAi('moonshot-cn', 'Moonshot (CN)', 'https://api.moonshot.cn/v1'),
    region: 'china',
    keysUrl: 'https://platform.moonshot.cn/console/api-keys',
    quirks: { reasoning: 'thinking', replayReasoning: 'reasoning_content' },
  },
  {
    ...speaksOpenAi(
      'qwen-cn',
      '通义千问 (Qwen, CN)',
      'https://dashscope.aliyuncs.com/compatible-mode/v1',
    ),
    region: 'china',
    keysUrl: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('minimax-cn', 'MiniMax (CN)', 'https://api.minimaxi.com/v1'),
    region: 'china',
    keysUrl: 'https://platform.minimaxi.com/user-center/basic-information/interface-key',
    quirks: minimaxQuirks,
    models: minimaxModels,
  },
  {
    ...speaksOpenAi('siliconflow-global', 'SiliconFlow (global)', 'https://api.siliconflow.com/v1'),
    keysUrl: 'https://cloud.siliconflow.com/account/ak',
    listQuery: 'sub_type=chat',
    quirks: { reasoning: 'enable_thinking' },
  },
  {
    ...speaksOpenAi('stepfun-global', 'StepFun (global)', 'https://api.stepfun.ai/v1'),
    keysUrl: 'https://platform.stepfun.ai/interface-key',
  },
  {
    ...speaksOpenAi(
      'byteplus',
      'BytePlus ModelArk',
      'https://ark.ap-southeast.bytepluses.com/api/v3',
    ),
    keysUrl: 'https://console.byteplus.com/ark/apiKey',
    quirks: { reasoning: 'thinking' },
  },
];
