import type { Host } from '#chat/host/host.ts';
import type { RunRequest } from '#chat/runs/run-request.ts';
import { responseNotFound } from '#chat/runs/run-place.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { MessagesRequest } from './messages-request.ts';
import { runOfMessage } from './responses-ids.ts';

/** The settings of a thread, for requests that continue it with new messages only. */
interface ThreadSettings {
  model: string;
  system: string;
  tools: ToolDefinition[];
}

/** A request of Anthropic's threads: it continues a message by its id. Throws `response_not_found`. */
export async function inThread(
  host: Host,
  owner: string,
  { thread, model, system: ownSystem }: MessagesRequest,
  request: RunRequest,
): Promise<RunRequest> {
  if (!thread) return request;
  if (thread.type === 'create')
    return withSettings(request, { model, system: request.system, tools: request.clientTools });
  const previous = runOfMessage(thread.previous_message_id);
  const run = await host.runs.get(owner, previous);
  if (run.kind !== 'message' || !run.stored) throw responseNotFound();
  const before = run.asked as ThreadSettings;
  const system = [...(ownSystem ? [] : [before.system]), request.system].filter(Boolean);
  const tools = request.clientTools.length > 0 ? request.clientTools : before.tools;
  return { ...withSettings(request, { model, system: system.join('\n\n'), tools }), previous };
}

function withSettings(request: RunRequest, settings: ThreadSettings): RunRequest {
  const { system, tools: clientTools } = settings;
  return { ...request, system, clientTools, stored: true, asked: settings };
}
