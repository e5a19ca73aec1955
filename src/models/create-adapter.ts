import type { ModelAdapter, ModelCapabilities } from '#shared/model.ts';
import { dialects, vendorOf, type WireName } from './vendors.ts';
import { anthropicMessages } from './wires/anthropic-messages.ts';
import { fromWire, type FromWireOptions } from './wires/from-wire.ts';
import { googleGenerate } from './wires/google-generate.ts';
import { openAiChat } from './wires/openai-chat.ts';
import { openAiResponses } from './wires/openai-responses.ts';
import type { Wire } from './wires/wire.ts';

/** A provider as models need it, with the key in the clear: never stored or logged like this. */
export interface ModelProvider {
  name: string;
  /** The name of a vendor; one that is not known is taken for OpenAI-compatible. */
  kind: string;
  baseUrl: string;
  apiKey?: string;
}

const wires: Readonly<Record<WireName, Wire>> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  'google-generate': googleGenerate,
};

/** A model of a provider, over the wire that its vendor speaks. */
export function createAdapter(
  provider: ModelProvider,
  model: string,
  capabilities: ModelCapabilities,
  options: FromWireOptions = {},
): ModelAdapter {
  const { name, baseUrl, apiKey } = provider;
  const { name: vendor, wire, quirks } = vendorOf(provider);
  const target = {
    provider: name,
    model,
    baseUrl,
    ...(apiKey && { apiKey }),
    capabilities,
    ...(quirks && { quirks }),
  };
  const adapter = fromWire(wires[wire], target, options);
  return { ...adapter, vendor, dialect: dialects[wire], capabilities };
}
