import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelMessage, ModelPart, ModelRequest } from '#shared/vocabulary/model.ts';
import { vendorEndpoint } from '../vendor-endpoint.ts';
import { createToolWriter, parseSignature, withJson } from '../wire-json.ts';
import type { WireRequest, WireTarget } from '../wire.ts';
import { fieldsOf } from '../../answers/event-data.ts';
import {
  describeMedia,
  mediaOf,
  partText,
  resultText,
  type Media,
} from '../../requests/result-content.ts';
import { googleTraits, thinkingConfig, type GoogleTraits } from './google-models.ts';

/** A request to Google's streamGenerateContent. */
export function toGoogleRequest(request: ModelRequest, target: WireTarget): WireRequest {
  const { apiKey, headers, model } = target;
  const path = (model.includes('/') ? model : `models/${model}`)
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const url = new URL(vendorEndpoint(target.baseUrl, '/v1beta', `/${path}:streamGenerateContent`));
  url.searchParams.set('alt', 'sse');
  return {
    url: url.href,
    headers: {
      'content-type': 'application/json',
      ...(apiKey && { 'x-goog-api-key': apiKey }),
      ...headers,
    },
    body: toBody(request, target),
  };
}

interface InlineData {
  inlineData: { mimeType: string; data: string };
}
type Part =
  | { text: string; thought?: true; thoughtSignature?: string }
  | (InlineData & { thoughtSignature?: string })
  | {
      functionCall: { id: string; name: string; args: JsonObject };
      thoughtSignature?: string | undefined;
    }
  | { functionResponse: FunctionResponse };
interface FunctionResponse {
  id: string;
  name: string;
  response: { name: string; content?: unknown; error?: unknown };
  parts?: InlineData[];
}
interface Content {
  role: 'user' | 'model';
  parts: Part[];
}

function toBody(request: ModelRequest, target: WireTarget): Buffer[] {
  const traits = googleTraits(target.model);
  const { system, tools } = request;
  const contents = request.messages.flatMap((message) => toContents(message, target, traits));
  const hasSystem = system.trim() !== '';
  if (hasSystem && traits.systemInMessage) {
    contents.unshift({ role: 'user', parts: [{ text: system }] });
  }
  const generationConfig = toGenerationConfig(request, target);
  const body = {
    ...(hasSystem &&
      !traits.systemInMessage && { systemInstruction: { parts: [{ text: system }] } }),
    contents: mergeNeighbours(contents),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...toToolConfig(request),
  };
  return withJson(body, tools.length === 0 ? {} : { tools: writeDeclarations(tools) });
}

function writeDeclarations(tools: ModelRequest['tools']): Buffer[] {
  return [Buffer.from('[{"functionDeclarations":'), writeTools(tools), Buffer.from('}]')];
}

/** Schemas come in the vendor's own dialect; one without properties is refused and means nothing. */
const writeTools = createToolWriter(({ name, description, inputSchema }) => ({
  name,
  description,
  ...(hasProperties(inputSchema) && { parameters: inputSchema }),
}));

function hasProperties({ properties }: JsonObject): boolean {
  return isJsonObject(properties) && Object.keys(properties).length > 0;
}

/** Which tools may be called, where a program says so. */
function toToolConfig({ tools, shape }: ModelRequest): object {
  const choice = shape?.toolChoice;
  if (choice === undefined || tools.length === 0) return {};
  const modes = { none: { mode: 'NONE' }, required: { mode: 'ANY' } };
  const config =
    typeof choice === 'string'
      ? modes[choice]
      : { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { toolConfig: { functionCallingConfig: config } };
}

/** What a program asked for, as far as there is a word for it; not every model takes a format beside tools. */
function toShape({ shape = {}, tools }: ModelRequest): object {
  const { format, stop, seed, frequencyPenalty, presencePenalty } = shape;
  return {
    ...(format &&
      tools.length === 0 && {
        responseMimeType: 'application/json',
        ...(format.schema && { responseJsonSchema: format.schema }),
      }),
    ...(stop && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
  };
}

function toGenerationConfig(request: ModelRequest, target: WireTarget): object {
  const { parameters } = request;
  const { temperature, topP, maxOutputTokens } = parameters;
  const sampled = !target.quirks?.noSampling;
  const thinking = thinkingConfig(parameters, target);
  return {
    ...(sampled && temperature !== undefined && { temperature }),
    ...(sampled && topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(thinking && { thinkingConfig: thinking }),
    ...toShape(request),
    ...(target.capabilities.imagesOut && { responseModalities: ['TEXT', 'IMAGE'] }),
  };
}

function toContents(message: ModelMessage, target: WireTarget, traits: GoogleTraits): Content[] {
  if (message.role === 'tool') return toResults(message.results, target, traits);
  if (message.role === 'user') return [{ role: 'user', parts: toUserParts(message.parts, target) }];
  return [{ role: 'model', parts: toModelParts(message.parts, target, traits) }];
}

function toUserParts(parts: ModelPart[], target: WireTarget): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
    return part.type === 'file' ? [toMediaPart(part, target)] : [];
  });
}

/** Google documents this in the place of a signature that is not known. */
const unsigned = 'skip_thought_signature_validator';

/**
 * What the model signed goes back signed. Of the calls that it makes at once only the first is, and
 * of images every one must be.
 */
function toModelParts(parts: ModelPart[], target: WireTarget, { gemini3 }: GoogleTraits): Part[] {
  let signed = false;
  return parts.flatMap((part): Part[] => {
    const { thoughtSignature: found } = fieldsOf(parseSignature(part.signature)['google']);
    const thoughtSignature = typeof found === 'string' ? found : undefined;
    const seal = thoughtSignature !== undefined && { thoughtSignature };
    if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text, ...seal }];
    if (part.type === 'file') {
      const media = toMediaPart(part, target);
      if ('text' in media) return [media];
      return [{ ...media, ...(gemini3 && { thoughtSignature: unsigned }), ...seal }];
    }
    if (part.type === 'thinking') return seal ? [{ text: part.text, thought: true, ...seal }] : [];
    const needed = gemini3 && !signed ? unsigned : undefined;
    signed ||= thoughtSignature !== undefined;
    const { callId: id, toolName: name, arguments: args } = part;
    return [{ functionCall: { id, name, args }, thoughtSignature: thoughtSignature ?? needed }];
  });
}

type Results = Extract<ModelMessage, { role: 'tool' }>['results'];

/** Media stand in the result where the model takes them there, else in a message of their own. */
function toResults(results: Results, target: WireTarget, traits: GoogleTraits): Content[] {
  const after: Part[] = [];
  const parts = results.map(({ callId: id, toolName: name, result }): Part => {
    const files = result.isError ? [] : result.content.flatMap((part) => mediaOf(part) ?? []);
    const usable = files.filter((file) => takes(file, target));
    const inside = traits.gemini3
      ? usable.filter(({ mimeType }) => insideTypes.test(mimeType))
      : [];
    const outside = usable.filter((file) => !inside.includes(file));
    if (outside.length > 0) {
      after.push({ text: `What the tool ${name} returned:` }, ...outside.map(toInlineData));
    }
    return {
      functionResponse: {
        id,
        name,
        response: { name, ...toResponse(result, inside.length > 0) },
        ...(inside.length > 0 && { parts: inside.map(toInlineData) }),
      },
    };
  });
  const contents: Content[] = [{ role: 'user', parts }];
  if (after.length > 0) contents.push({ role: 'user', parts: after });
  return contents;
}

const insideTypes = /^image\/(png|jpeg|webp)$|^application\/pdf$/;

function toResponse(result: Results[number]['result'], withoutMedia: boolean): object {
  const { content, structuredContent, isError } = result;
  const words = withoutMedia ? content.filter((part) => mediaOf(part) === undefined) : content;
  const text = words.map(partText).filter(Boolean).join('\n');
  if (text !== '') return isError ? { error: text } : { content: text };
  if (structuredContent === undefined) {
    if (withoutMedia) return { content: 'The tool returned what is attached.' };
    return isError ? { error: resultText(result) } : { content: resultText(result) };
  }
  const json = JSON.stringify(structuredContent);
  /** The vendor takes `$ref` in a result for one of its own. */
  const value = json.includes('"$ref"') ? json : structuredContent;
  return isError ? { error: value } : { content: value };
}

function toMediaPart(media: Media, target: WireTarget): Part {
  if (takes(media, target)) return toInlineData(media);
  return { text: describeMedia(media.mimeType, media.name) };
}

function takes({ mimeType }: Media, { capabilities: can }: WireTarget): boolean {
  if (mimeType.startsWith('image/')) return can.imagesIn && mimeType !== 'image/svg+xml';
  if (mimeType.startsWith('audio/')) return can.audioIn;
  return can.filesIn && /^(video|text)\/|^application\/(pdf|json)$/.test(mimeType);
}

function toInlineData({ mimeType, data }: Media): InlineData {
  return { inlineData: { mimeType, data } };
}

/** Results of one round belong into one message; so do other neighbours, except results and words. */
function mergeNeighbours(contents: Content[]): Content[] {
  const merged: Content[] = [];
  for (const content of contents) {
    const last = merged.at(-1);
    if (content.parts.length === 0) continue;
    if (last?.role === content.role && answers(last) === answers(content)) {
      last.parts.push(...content.parts);
    } else merged.push(content);
  }
  return merged;
}

function answers({ parts }: Content): boolean {
  return parts.some((part) => 'functionResponse' in part);
}
