import { CeriseError } from '#shared/errors.ts';
import type { Topic, ToolSelection } from '#shared/message.ts';
import type { TestPolicy } from '#shared/policy-api.ts';
import type { PolicyVerdict, Tool } from '#shared/tool.ts';
import type { Store } from '#store/store.ts';
import type { ToolCallRecord } from '#store/tool-calls.ts';
import { getTopic } from '#store/topics.ts';
import type { ToolRegistry } from '#tools/registry.ts';
import { toPolicyCall } from './approvals.ts';
import type { Policy } from './policy.ts';
import { topicNotFound } from './topic-not-found.ts';

/** Where tools are found. */
interface ToolSources {
  store: Store;
  /** A tool of a server, outside of any topic. */
  serverTool: (owner: string, serverId: string, toolName: string) => Promise<Tool>;
  loadTools: (owner: string, topic: Topic, selection: ToolSelection) => Promise<ToolRegistry>;
}

/** The tool of a recorded call as it is now. Throws `tool_not_found` or `tool_changed`. */
export async function findToolOfCall(sources: ToolSources, record: ToolCallRecord): Promise<Tool> {
  const { owner, topicId, serverId, toolName } = record;
  if (topicId === undefined) return sources.serverTool(owner, serverId, toolName);
  const topic = await getTopic(sources.store.db, owner, topicId);
  const selection = { enabled: true, mode: 'manual' as const, selectedServers: [serverId] };
  const registry = topic && (await sources.loadTools(owner, topic, selection));
  const tool = registry
    ?.tools()
    .find((each) => each.serverId === serverId && each.toolName === toolName);
  if (tool) return tool;
  throw new CeriseError('tool_not_found', 'The tool is no longer there.', {
    hint: 'Its server may have been removed, disabled or changed.',
  });
}

/** What would become of a call. Nothing is run or remembered. */
export async function testPolicy(
  { policy, store, serverTool }: Pick<ToolSources, 'store' | 'serverTool'> & { policy: Policy },
  owner: string,
  { serverId, toolName, arguments: args, topicId, tainted = false }: TestPolicy,
): Promise<Pick<PolicyVerdict, 'action' | 'rule' | 'ruleId' | 'code'>> {
  const tool = await serverTool(owner, serverId, toolName);
  if (topicId !== undefined && !(await getTopic(store.db, owner, topicId))) throw topicNotFound();
  const call = { ...toPolicyCall(tool, args), owner, ...(topicId !== undefined && { topicId }) };
  const { action, rule, ruleId, code } = await policy.judge(call, async () => tainted);
  return { action, rule, ...(ruleId !== undefined && { ruleId }), ...(code && { code }) };
}
