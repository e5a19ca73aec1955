import type { ServerView, ToolView } from '#shared/api/api.ts';
import type { ExportFormat, ImportServers, ImportView } from '#shared/api/import-api.ts';
import type { DiagnosisView, LogsView } from '#shared/api/server-api.ts';
import type { BegunSignInView, SignInStateView } from '#shared/api/sign-in-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { newKey } from './key.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** The result of a call, or the call itself where a person has to decide first. */
export type CalledTool = (ToolResult | ToolCallView) & { toolCallId: string };

/** MCP servers. */
export const serversApi = {
  list: () => request<{ servers: ServerView[] }>('/api/servers'),
  read: (id: string, signal?: AbortSignal) =>
    request<ServerView>(at`/api/servers/${id}`, { ...(signal && { signal }) }),
  create: (body: object) =>
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
  readResource: (id: string, uri: string, signal: AbortSignal) =>
    request<{ contents: { uri: string; mimeType?: string; text?: string; blob?: string }[] }>(
      at`/api/servers/${id}/resources/read`,
      { method: 'POST', body: { uri }, signal },
    ),
  callTool: (id: string, name: string, body: { arguments: JsonObject; callId: string }) =>
    request<CalledTool>(at`/api/servers/${id}/tools/${name}/call`, { method: 'POST', body }),
  toolCall: (id: string, signal: AbortSignal) =>
    request<ToolCallView>(at`/api/tool-calls/${id}`, { signal }),
  approveTool: (id: string, name: string, definitionHash: string) =>
    request<void>(at`/api/servers/${id}/tools/${name}/approve`, {
      method: 'POST',
      body: { definitionHash },
    }),
  /** `known` is the version of the lines that are here already. */
  logs: (id: string, known: string | undefined, signal: AbortSignal) =>
    request<LogsView>(
      at`/api/servers/${id}/logs` + (known === undefined ? '' : at`?known=${known}`),
      { signal },
    ),
  importAll: (body: ImportServers, signal?: AbortSignal) =>
    request<ImportView>('/api/servers/import', {
      method: 'POST',
      body,
      ...(signal && { signal }),
    }),
  exportAll: (format: ExportFormat) => request<object>(`/api/servers/export?format=${format}`),
};
