import type { PromptView, ResourceView, TemplateView } from '#shared/api/server-api.ts';
import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** One message of a prompt with its arguments filled in. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentPart;
}

/** A part of what was read of a resource: text, or bytes as base64. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

/** What a value is wanted for. */
export type CompletionRef = { prompt: string } | { template: string };

/** What servers offer besides tools. Each call connects the server if need be. */
export const contentsApi = {
  prompts: (id: string, signal: AbortSignal) =>
    request<{ prompts: PromptView[] }>(at`/api/servers/${id}/prompts`, { signal }),
  getPrompt: (id: string, name: string, values: Record<string, string>, signal: AbortSignal) =>
    request<{ messages: PromptMessage[] }>(at`/api/servers/${id}/prompts/${name}/get`, {
      method: 'POST',
      body: { arguments: values },
      signal,
    }),
  resources: (id: string, signal: AbortSignal) =>
    request<{ resources: ResourceView[] }>(at`/api/servers/${id}/resources`, { signal }),
  templates: (id: string, signal: AbortSignal) =>
    request<{ templates: TemplateView[] }>(at`/api/servers/${id}/templates`, { signal }),
  read: (id: string, uri: string, signal: AbortSignal) =>
    request<{ contents: ResourceContents[] }>(at`/api/servers/${id}/resources/read`, {
      method: 'POST',
      body: { uri },
      signal,
    }),
  complete: (
    id: string,
    body: {
      ref: CompletionRef;
      argument: { name: string; value: string };
      known?: Record<string, string>;
    },
    signal: AbortSignal,
  ) =>
    request<{ values: string[] }>(at`/api/servers/${id}/complete`, {
      method: 'POST',
      body,
      signal,
    }),
};
