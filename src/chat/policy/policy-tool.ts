import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { onlyServer, type Topic, type TurnSelection } from '#shared/vocabulary/message.ts';
import type { TestedVerdict, TestPolicy } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall, PolicyVerdict, Tool } from '#shared/vocabulary/tool.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import type { ToolRegistry } from '#tools/registry/registry.ts';
import type { LoadFailure } from '#tools/registry/tools-loader.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';
import type { Policy } from './policy.ts';

/** Where tools are found. */
interface ToolSources {
  store: Store;
  /** A tool of a server, outside of any topic. */
  serverTool: (owner: string, serverId: string, toolName: string) => Promise<Tool>;
  loadTools: (
    owner: string,
    topic: Topic,
    selection: TurnSelection,
    onFailure: (failure: LoadFailure) => void,
  ) => Promise<ToolRegistry>;
}

/** The tool of a recorded call as it is now. Throws CeriseError with why there is none. */
export async function findToolOfCall(sources: ToolSources, record: ToolCallRecord): Promise<Tool> {
  const { owner, topicId, serverId, toolName } = record;
  if (topicId === undefined) return sources.serverTool(owner, serverId, toolName);
  const topic = await getTopic(sources.store.db, owner, topicId);
  const selection = onlyServer(serverId);
  const failures: LoadFailure[] = [];
  const registry =
    topic && (await sources.loadTools(owner, topic, selection, (each) => failures.push(each)));
  const tool = registry
    ?.tools()
    .find((each) => each.serverId === serverId && each.toolName === toolName);
  if (tool) return tool;
  const error = failures.find((failure) => isAbout(failure, toolName))?.error;
  if (error) throw new CeriseError(error.code, error.message, error);
  throw new CeriseError('tool_not_found', say('tool-gone')`This tool is no longer available.`, {
    hint: say('tool-gone-hint')`Its server may have been removed, disabled or changed.`,
  });
}

/** Whether a failure is that of the whole server, or of this very tool. */
function isAbout({ error }: LoadFailure, toolName: string): boolean {
  const { toolName: only = toolName } = (error.details ?? {}) as { toolName?: string };
  return only === toolName;
}

/** What would become of a call. Nothing is run or remembered. */
export async function testPolicy(
  { policy, store, serverTool }: Pick<ToolSources, 'store' | 'serverTool'> & { policy: Policy },
  owner: string,
  { serverId, toolName, arguments: args, topicId, tainted = false }: TestPolicy,
): Promise<TestedVerdict> {
  const tool = await serverTool(owner, serverId, toolName);
  if (topicId !== undefined && !(await getTopic(store.db, owner, topicId))) throw topicNotFound();
  const call = { ...toPolicyCall(tool, args), owner, ...(topicId !== undefined && { topicId }) };
  return toTested(await policy.judge(call, async () => tainted));
}

/** What becomes of a call of each of these tools, apart from rules about certain arguments or a topic. */
export async function toolVerdicts(
  policy: Policy,
  owner: string,
  tools: readonly Tool[],
): Promise<Map<string, TestedVerdict & { varies?: true }>> {
  await policy.reload(owner);
  const verdicts = tools.map(async (tool) => {
    const call = { ...toPolicyCall(tool, {}), owner };
    const verdict = toTested(await policy.judge(call, async () => false));
    const varies = await policy.varies(call);
    return [tool.toolName, { ...verdict, ...(varies && { varies }) }] as const;
  });
  return new Map(await Promise.all(verdicts));
}

function toTested({ action, rule, reason, ruleId, code }: PolicyVerdict): TestedVerdict {
  return {
    action,
    rule,
    ...(reason && { reason }),
    ...(ruleId !== undefined && { ruleId }),
    ...(code && { code }),
  };
}

/** What the policy is asked about a call of a tool, whichever way it came. */
export function toPolicyCall(tool: Tool, args: JsonObject): Omit<PolicyCall, 'owner'> {
  const { serverId, toolName, trusted, autoApproved, asks, annotations, definitionHash } = tool;
  return {
    serverId,
    toolName,
    trusted,
    ...(autoApproved !== undefined && { autoApproved }),
    ...(asks && { asks }),
    annotations,
    definitionHash,
    arguments: args,
    argsHash: argumentsHash(args),
  };
}
