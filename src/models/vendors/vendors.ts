import type { ToolDialect, VendorInfo } from '#shared/vocabulary/model.ts';
import type { WireName, Vendor } from './vendor.ts';
import { compatibleVendors } from './vendors-compatible.ts';
import { hostingVendors, regionalVendors } from './vendors-hosts.ts';
import { localVendors } from './vendors-local.ts';

/** The kind of a provider that is nothing but an address. */
export const compatibleKind = 'openai-compatible';

const compatible: Vendor = {
  name: compatibleKind,
  label: 'OpenAI-compatible',
  wire: 'openai-chat',
  keyVariables: [],
  list: 'openai',
  quirks: { reasoning: 'reasoning_effort', rawThinking: true },
};

const makers: readonly Vendor[] = [
  {
    name: 'openai',
    label: 'OpenAI',
    popular: true,
    wire: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    keysUrl: 'https://platform.openai.com/api-keys',
    list: 'openai',
  },
  {
    name: 'openai-chat',
    label: 'OpenAI (Chat Completions)',
    wire: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: [],
    keysUrl: 'https://platform.openai.com/api-keys',
    list: 'openai',
    quirks: { maxTokensField: 'max_completion_tokens', reasoning: 'reasoning_effort' },
  },
  {
    name: 'anthropic',
    label: 'Anthropic',
    popular: true,
    wire: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    keysUrl: 'https://platform.claude.com/settings/keys',
    list: 'anthropic',
    quirks: { mediaInToolResults: true },
  },
  {
    name: 'google',
    label: 'Google Gemini',
    popular: true,
    wire: 'google-generate',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    keysUrl: 'https://aistudio.google.com/apikey',
    list: 'google',
  },
  {
    // Its express mode, which takes a key; projects want credentials that run out every hour.
    name: 'vertex',
    label: 'Google Vertex AI (express)',
    wire: 'google-generate',
    baseUrl: 'https://aiplatform.googleapis.com/v1/publishers/google',
    keyVariables: [],
    keysUrl: 'https://console.cloud.google.com/apis/credentials',
    list: 'google',
    models: [
      'gemini-3-pro-preview',
      'gemini-3-flash-preview',
      'gemini-2.5-pro',
      'gemini-2.5-flash',
    ],
  },
  {
    // https://RESOURCE.openai.azure.com/openai/v1; models are the names of deployments.
    name: 'azure',
    label: 'Azure OpenAI',
    wire: 'openai-responses',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    keysUrl: 'https://ai.azure.com',
    list: 'openai',
  },
  {
    name: 'azure-chat',
    label: 'Azure AI Foundry (Chat Completions)',
    wire: 'openai-chat',
    keyVariables: [],
    keysUrl: 'https://ai.azure.com',
    list: 'openai',
    quirks: { maxTokensField: 'max_completion_tokens', reasoning: 'reasoning_effort' },
  },
  compatible,
];

/** Every vendor there is data for: the makers of a wire, those who speak OpenAI's, local servers. */
export const vendors: readonly Vendor[] = [
  ...makers,
  ...compatibleVendors,
  ...hostingVendors,
  ...regionalVendors,
  ...localVendors,
];

const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]));

/** The vendor of that name; undefined if there is no data for it. */
export function findVendor(name: string): Vendor | undefined {
  return byName.get(name);
}

/**
 * Who is behind a provider. One that is nothing but an address is known by it, as far as the vendor
 * speaks the same wire; an unknown one is OpenAI-compatible.
 */
export function vendorOf({ kind, baseUrl }: { kind: string; baseUrl: string }): Vendor {
  const named = byName.get(kind);
  if (named && kind !== compatibleKind) return named;
  const known = vendors.find(
    (vendor) => vendor.wire === 'openai-chat' && isSameServer(vendor.baseUrl, baseUrl),
  );
  return known ?? compatible;
}

/** Who is behind a model, for people: its vendor, or the provider in `provider/model`. */
export function vendorLabel({ vendor }: { vendor?: string | undefined }, model: string): string {
  const known = vendor === undefined || vendor === compatibleKind ? undefined : byName.get(vendor);
  return known?.label ?? model.split('/', 1)[0] ?? '';
}

/** Whether two addresses lead to the same host and port; `localhost` is 127.0.0.1. */
export function isSameServer(one: string | undefined, other: string | undefined): boolean {
  const host = hostOf(one);
  return host !== '' && host === hostOf(other);
}

function hostOf(address = ''): string {
  return (URL.parse(address)?.host ?? '').replace(/^(localhost|\[::1\])(?=:|$)/, '127.0.0.1');
}

/** What a person who adds a provider is told of a vendor. */
export function describeVendor(vendor: Vendor): VendorInfo {
  const { name, label, baseUrl, keysUrl, ports } = vendor;
  return {
    kind: name,
    label,
    group: groupOf(vendor),
    ...(baseUrl && { baseUrl }),
    ...(keysUrl && { keysUrl }),
    local: ports !== undefined,
  };
}

function groupOf({ name, popular, region, ports }: Vendor): VendorInfo['group'] {
  if (name === compatibleKind) return 'other';
  if (ports) return 'local';
  return popular ? 'popular' : (region ?? 'international');
}

/** How tools are written for a wire. */
export const dialects: Readonly<Record<WireName, ToolDialect>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  'google-generate': 'google',
};
