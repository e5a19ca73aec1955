import type { z } from 'zod';
import type { callToolSchema, ServerView, ToolView } from '#shared/api/api.ts';
import type { ExportFormat, ImportServers, ImportView } from '#shared/api/import-api.ts';
import type {
  completeSchema,
  DiagnosisView,
  LogsView,
  PromptView,
  Rehearsal,
  RehearsalPlan,
  Rehearse,
  resourceContentsSchema,
  ResourceView,
  TemplateView,
} from '#shared/api/server-api.ts';
import type { SignInStartView, SignInStateView } from '#shared/api/sign-in-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { readSkillSchema, SkillContentsView, SkillView } from '#shared/api/tools-api.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** The result of a call, or the call itself if it needs approval first. */
export type CalledTool = (ToolResult | ToolCallView) & { toolCallId: string };

/** One message of a prompt with its arguments filled in. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentPart;
}

/** A part of a resource's contents: text, or bytes as base64. */
export type ResourceContents = z.infer<typeof resourceContentsSchema>;

/** The prompt or template whose argument is completed. */
export type CompletionRef = z.input<typeof completeSchema>['ref'];

/** MCP servers, their state and their tools. */
export const serversApi = ({ request }: Connection) => ({
  list: () => request<{ servers: ServerView[] }>('/api/servers'),
  read: (id: string, signal?: AbortSignal) =>
    request<ServerView>(at`/api/servers/${id}`, { signal }),
  create: (body: object) =>
    request<ServerView>('/api/servers', { method: 'POST', body, key: newKey() }),
  approve: (id: string, launchHash: string) =>
    request<ServerView>(at`/api/servers/${id}/approve`, { method: 'POST', body: { launchHash } }),
  act: (id: string, action: 'connect' | 'stop' | 'restart') =>
    request<ServerView>(`${at`/api/servers/${id}/`}${action}`, { method: 'POST' }),
  update: (id: string, body: object) =>
    request<ServerView>(at`/api/servers/${id}`, { method: 'PATCH', body }),
  remove: (id: string) => request<void>(at`/api/servers/${id}`, { method: 'DELETE' }),
  diagnosis: (id: string, signal?: AbortSignal) =>
    request<DiagnosisView>(at`/api/servers/${id}/diagnosis`, { signal }),
  /** `known` is the version of the lines that are here already. */
  logs: (id: string, known?: string, signal?: AbortSignal) =>
    request<LogsView>(
      at`/api/servers/${id}/logs` + (known === undefined ? '' : at`?known=${known}`),
      { signal },
    ),
  importAll: (body: ImportServers, signal?: AbortSignal) =>
    request<ImportView>('/api/servers/import', { method: 'POST', body, signal }),
  exportAll: (format: ExportFormat) => request<object>(at`/api/servers/export?format=${format}`),
  ...toolsApi(request),
  ...signInApi(request),
  ...contentsApi(request),
});

type Request = Connection['request'];

const toolsApi = (request: Request) => ({
  tools: (id: string, signal?: AbortSignal) =>
    request<{ tools: ToolView[] }>(at`/api/servers/${id}/tools`, { signal }),
  callTool: (id: string, name: string, body: z.input<typeof callToolSchema>) =>
    request<CalledTool>(at`/api/servers/${id}/tools/${name}/call`, { method: 'POST', body }),
  approveTool: (id: string, name: string, definitionHash: string) =>
    request<void>(at`/api/servers/${id}/tools/${name}/approve`, {
      method: 'POST',
      body: { definitionHash },
    }),
  rehearsal: (id: string, signal?: AbortSignal) =>
    request<RehearsalPlan>(at`/api/servers/${id}/rehearsal`, { signal }),
  rehearse: (id: string, body: Rehearse) =>
    request<Rehearsal>(at`/api/servers/${id}/rehearsal`, { method: 'POST', body }),
});

const signInApi = (request: Request) => ({
  /** Without `redirectUri` the browser comes back to the host itself. */
  beginSignIn: (id: string, redirectUri?: string) =>
    request<SignInStartView>(at`/api/servers/${id}/sign-in`, {
      method: 'POST',
      body: { redirectUri },
    }),
  /** `url` is the whole address that the browser came back to. */
  finishSignIn: (url: string) =>
    request<unknown>('/api/servers/sign-in/finish', { method: 'POST', body: { url } }),
  signInState: (id: string, signal?: AbortSignal) =>
    request<SignInStateView>(at`/api/servers/${id}/sign-in`, { signal }),
  signOut: (id: string) => request<void>(at`/api/servers/${id}/sign-out`, { method: 'POST' }),
});

/** What servers offer besides tools. Each call connects the server if necessary. */
const contentsApi = (request: Request) => ({
  prompts: (id: string, signal?: AbortSignal) =>
    request<{ prompts: PromptView[] }>(at`/api/servers/${id}/prompts`, { signal }),
  getPrompt: (id: string, name: string, values: Record<string, string>, signal?: AbortSignal) =>
    request<{ messages: PromptMessage[] }>(at`/api/servers/${id}/prompts/${name}/get`, {
      method: 'POST',
      body: { arguments: values },
      signal,
    }),
  resources: (id: string, signal?: AbortSignal) =>
    request<{ resources: ResourceView[] }>(at`/api/servers/${id}/resources`, { signal }),
  templates: (id: string, signal?: AbortSignal) =>
    request<{ templates: TemplateView[] }>(at`/api/servers/${id}/templates`, { signal }),
  readResource: (id: string, uri: string, signal?: AbortSignal) =>
    request<{ contents: ResourceContents[] }>(at`/api/servers/${id}/resources/read`, {
      method: 'POST',
      body: { uri },
      signal,
    }),
  skills: (id: string, signal?: AbortSignal) =>
    request<{ skills: SkillView[] }>(at`/api/servers/${id}/skills`, { signal }),
  readSkill: (id: string, body: z.input<typeof readSkillSchema>) =>
    request<SkillContentsView>(at`/api/servers/${id}/skills/read`, { method: 'POST', body }),
  complete: (id: string, body: z.input<typeof completeSchema>, signal?: AbortSignal) =>
    request<{ values: string[] }>(at`/api/servers/${id}/complete`, {
      method: 'POST',
      body,
      signal,
    }),
});
