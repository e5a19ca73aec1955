import type { TopicPatch } from '#shared/event.ts';
import type { SearchHit, ServerView, Settings, ToolView } from '#shared/api.ts';
import type { Assistant, Conversation, Message, ToolSelection, Topic } from '#shared/message.ts';
import type { ErrorInfo } from '#shared/errors.ts';
import type { ModelInfo, Provider, VendorInfo } from '#shared/model.ts';
import type { Decision } from '#shared/policy-api.ts';
import type { ServerConfig } from '#shared/server.ts';
import type { DiagnosisView } from '#shared/server-api.ts';
import type { BegunSignInView, SignInStateView } from '#shared/sign-in-api.ts';
import { newKey } from './key.ts';
import { request, requestText, withRetry } from './request.ts';

const at = (strings: TemplateStringsArray, ...values: (string | number)[]) =>
  String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(value)));

/** Topics: list, make, change, remove, search. */
export const topicsApi = {
  list: () => request<{ topics: Topic[] }>('/api/topics'),
  create: (body: { assistantId?: string; model?: string }, key: string) =>
    withRetry(() => request<Topic>('/api/topics', { method: 'POST', body, key })),
  update: (id: string, body: TopicPatch) =>
    request<Topic>(at`/api/topics/${id}`, { method: 'PATCH', body }),
  remove: (id: string) => request<void>(at`/api/topics/${id}`, { method: 'DELETE' }),
  search: (query: string, signal: AbortSignal) =>
    request<{ hits: SearchHit[] }>(at`/api/search?q=${query}`, { signal }),
  conversation: (id: string, signal: AbortSignal) =>
    request<Conversation>(at`/api/topics/${id}`, { signal }),
  earlier: (id: string, before: string, limit: number) =>
    request<{ messages: Message[]; hasEarlier: boolean }>(
      at`/api/topics/${id}/messages?before=${before}&limit=${limit}`,
    ),
  eventsUrl: (id: string, after: number) => at`/api/topics/${id}/events?after=${after}`,
};

/** Messages, answers and the decisions about their tool calls. */
export const messagesApi = {
  send: (topicId: string, body: { text: string; parentId?: string | null }, key: string) =>
    withRetry(() =>
      request<{ userMessageId: string; answerId: string }>(at`/api/topics/${topicId}/messages`, {
        method: 'POST',
        body,
        key,
      }),
    ),
  stop: (answerId: string) =>
    request<unknown>(at`/api/answers/${answerId}/stop`, { method: 'POST' }),
  regenerate: (answerId: string, model: string | undefined) =>
    request<{ answerId: string }>(at`/api/answers/${answerId}/regenerate`, {
      method: 'POST',
      body: model === undefined ? {} : { model },
      key: newKey(),
    }),
  decide: (toolCallId: string, body: Decision) =>
    request<unknown>(at`/api/tool-calls/${toolCallId}/decision`, { method: 'POST', body }),
  decideAll: (decisions: (Decision & { toolCallId: string })[]) =>
    request<{ results: { error?: ErrorInfo }[] }>('/api/tool-calls/decisions', {
      method: 'POST',
      body: { decisions },
    }),
  abortCall: (toolCallId: string) =>
    request<unknown>(at`/api/tool-calls/${toolCallId}/abort`, { method: 'POST' }),
};

/** What is kept whole outside of the conversation. */
export const blobsApi = {
  url: (id: string) => at`/api/blobs/${id}`,
  text: (id: string, signal: AbortSignal) => requestText(at`/api/blobs/${id}`, signal),
};

/** What a person writes of an assistant. */
export interface AssistantDraft {
  name: string;
  systemPrompt: string;
  model?: string | null;
  mcp: ToolSelection;
}

/** Assistants and the models they may use. */
export const assistantsApi = {
  list: () => request<{ assistants: Assistant[] }>('/api/assistants'),
  create: (body: AssistantDraft) =>
    request<Assistant>('/api/assistants', { method: 'POST', body, key: newKey() }),
  update: (id: string, body: AssistantDraft) =>
    request<Assistant>(at`/api/assistants/${id}`, { method: 'PATCH', body }),
  remove: (id: string) => request<void>(at`/api/assistants/${id}`, { method: 'DELETE' }),
  models: () => request<{ models: ModelInfo[]; defaultModel: string }>('/api/models'),
};

/** MCP servers. */
export const serversApi = {
  list: () => request<{ servers: ServerView[] }>('/api/servers'),
  create: (body: ServerConfig) =>
    request<ServerView>('/api/servers', { method: 'POST', body, key: newKey() }),
  approve: (id: string, launchHash: string) =>
    request<unknown>(at`/api/servers/${id}/approve`, { method: 'POST', body: { launchHash } }),
  act: (id: string, action: 'connect' | 'stop' | 'restart') =>
    request<unknown>(`${at`/api/servers/${id}/`}${action}`, { method: 'POST' }),
  update: (id: string, body: object) =>
    request<ServerView>(at`/api/servers/${id}`, { method: 'PATCH', body }),
  remove: (id: string) => request<void>(at`/api/servers/${id}`, { method: 'DELETE' }),
  beginSignIn: (id: string) =>
    request<BegunSignInView>(at`/api/servers/${id}/sign-in`, { method: 'POST' }),
  signInState: (id: string, signal: AbortSignal) =>
    request<SignInStateView>(at`/api/servers/${id}/sign-in`, { signal }),
  signOut: (id: string) => request<void>(at`/api/servers/${id}/sign-out`, { method: 'POST' }),
  diagnosis: (id: string, signal: AbortSignal) =>
    request<DiagnosisView>(at`/api/servers/${id}/diagnosis`, { signal }),
  tools: (id: string, signal: AbortSignal) =>
    request<{ tools: ToolView[] }>(at`/api/servers/${id}/tools`, { signal }),
  approveTool: (id: string, name: string, definitionHash: string) =>
    request<void>(at`/api/servers/${id}/tools/${name}/approve`, {
      method: 'POST',
      body: { definitionHash },
    }),
  logs: (id: string, signal: AbortSignal) =>
    request<{ lines: unknown[] }>(at`/api/servers/${id}/logs`, { signal }),
};

/** What a person writes of a provider; an absent key leaves the stored one alone. */
export interface ProviderDraft {
  name?: string;
  kind: string;
  /** Empty: the vendor's own. */
  baseUrl: string;
  apiKey?: string;
  models: string[];
}

/** What the test of a provider brought out. */
export interface ProviderTest {
  ok: boolean;
  error?: ErrorInfo;
}

/** Providers and the host's settings. */
export const settingsApi = {
  providers: () => request<{ providers: Provider[] }>('/api/providers'),
  createProvider: (body: ProviderDraft) =>
    request<Provider>('/api/providers', { method: 'POST', body, key: newKey() }),
  vendors: () => request<{ vendors: VendorInfo[] }>('/api/vendors'),
  discover: () => request<{ providers: Provider[] }>('/api/providers/discover', { method: 'POST' }),
  testProvider: (id: string) =>
    request<ProviderTest>(at`/api/providers/${id}/test`, { method: 'POST', body: {} }),
  updateProvider: (id: string, body: ProviderDraft | { enabled: boolean }) =>
    request<Provider>(at`/api/providers/${id}`, { method: 'PATCH', body }),
  removeProvider: (id: string) => request<void>(at`/api/providers/${id}`, { method: 'DELETE' }),
  read: () => request<Settings>('/api/settings'),
  write: (body: Settings) => request<Settings>('/api/settings', { method: 'PUT', body }),
};
