import type { ModelAdapter, ModelCapabilities, ModelTimes } from '#shared/vocabulary/model.ts';
import { opensInPrompt, splitThinkTags } from '../answers/think-tags.ts';
import { type Vendor, type WireName } from '../vendors/vendor.ts';
import { dialects, vendorOf } from '../vendors/vendors.ts';
import { anthropicMessages } from '../wires/anthropic/anthropic-messages.ts';
import { fromWire, type FromWireOptions } from '../wires/from-wire.ts';
import { googleGenerate } from '../wires/google/google-generate.ts';
import { openAiChat } from '../wires/openai/openai-chat.ts';
import { openAiResponses } from '../wires/openai/openai-responses.ts';
import type { Wire } from '../wires/wire.ts';

/** A provider as models need it, with the key in the clear: never stored or logged like this. */
export interface ModelProvider {
  name: string;
  /** The name of a vendor; one that is not known is taken for OpenAI-compatible. */
  kind: string;
  baseUrl: string;
  apiKey?: string | undefined;
  times?: ModelTimes | undefined;
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
  const { baseUrl, apiKey, times } = provider;
  const known = vendorOf(provider);
  const { name: vendor, wire, quirks } = known;
  const target = {
    model,
    baseUrl,
    ...(apiKey && { apiKey }),
    capabilities,
    ...(quirks && { quirks }),
  };
  const adapter = fromWire(wireOf(known, model), target, { times, ...options });
  return { ...adapter, vendor, dialect: dialects[wire], capabilities };
}

/** OpenAI's own models never think in tags; those of others may, wherever they run. */
function wireOf({ name, wire: wireName, quirks }: Vendor, model: string): Wire {
  const wire = wires[wireName];
  if (wireName !== 'openai-chat' || name === 'openai-chat') return wire;
  const startsInside = quirks?.rawThinking === true && opensInPrompt(model);
  return {
    ...wire,
    createReader: (emit, bounds) => wire.createReader(splitThinkTags(emit, startsInside), bounds),
  };
}
