import { demoModelInfo } from '#models/demo/model.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Message, Topic, ToolSelection, TurnSelection } from '#shared/vocabulary/message.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import { getMessage } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import { withPromptedTools } from '#tools/prompted/prompted-tools.ts';
import { ToolRegistry } from '#tools/registry/registry.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { RecordedCalls } from './recorded-calls.ts';
import type { TurnRecord, TurnRecords } from './turn-records.ts';

/** Where a turn gets its model and its tools from. */
export interface OpeningDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  resolveModel: (name: string, owner: string) => Promise<ModelAdapter>;
  /** What it gives is the turn's to its end, whatever servers say of their tools in the meantime. */
  loadTools: (owner: string, topic: Topic, selection: TurnSelection) => Promise<ToolRegistry>;
  /** Absent: nothing is kept of what models are sent. */
  records?: TurnRecords | undefined;
}

/** What whoever starts an answer knows already: it is not read again. */
export interface TurnContext {
  model: ModelAdapter;
  /** What comes before the answer. */
  path?: Message[];
}

interface OpeningTurn {
  known?: TurnContext | undefined;
  live: LiveTopic;
  answerId: string;
  request: {
    model: string;
    tools: ToolSelection;
    limited?: TurnSelection | undefined;
    recordedIn?: string | undefined;
    asksForCalls?: true | undefined;
  };
}

/** The model of a turn, and what is kept of its requests. One without function calling is told of tools in words. */
export async function openModel(
  { resolveModel, records, limits }: OpeningDeps,
  { live, answerId, request, known }: OpeningTurn,
): Promise<{ model: ModelAdapter; record: TurnRecord | undefined }> {
  const { owner, id: topicId } = live;
  const [resolved, record] = await Promise.all([
    known?.model ?? resolveModel(request.model, owner),
    records?.begin({ owner, topicId, answerId }),
  ]);
  const model = record ? record.watch(resolved) : resolved;
  const isPlain = model.capabilities?.tools === false;
  return { model: isPlain ? withPromptedTools(model, limits) : model, record };
}

/** The tools of a turn; where it takes its results from an earlier answer, they do not run. */
export async function openTools(
  deps: OpeningDeps,
  { live, request }: OpeningTurn,
): Promise<ToolRegistry> {
  const { owner, topic } = live;
  const { tools, limited = tools, model, recordedIn, asksForCalls } = request;
  const withoutShowcase = model !== demoModelInfo.id;
  const registry = await deps.loadTools(owner, topic, { ...limited, withoutShowcase });
  if (asksForCalls)
    return new ToolRegistry(registry.tools().map((tool) => ({ ...tool, asks: true })));
  if (recordedIn === undefined) return registry;
  const answer = await getMessage(deps.store.db, owner, recordedIn);
  const { blobs } = deps;
  return new RecordedCalls(answer?.blocks ?? [], { blobs, owner }).toolsOf(registry.tools());
}
