import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Assistant, ToolSelection } from '#shared/vocabulary/message.ts';
import { resolveParameters } from '#shared/vocabulary/model.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import { getAssistant, listAssistants } from '#store/configuration/assistants.ts';
import type { Store } from '#store/database/store.ts';
import { limitedTo } from '../conversations/answer-request.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import type { RunRequest } from './run-request.ts';

/** The prefix of an assistant that is used as a model. */
export const assistantPrefix = 'assistant/';

interface AnswerDeps {
  store: Store;
  choices: Pick<ModelChoices, 'defaultModel' | 'parametersFor'>;
}

/** The answer request of a run: for a plain model, or for an assistant with its prompt and settings. */
export async function toAnswerRequest(
  { store, choices }: AnswerDeps,
  owner: string,
  request: RunRequest,
  within: Within,
): Promise<AnswerRequest & { assistantId: string }> {
  const assistant = await findAssistant(store, owner, request);
  const isAssistant = request.model.startsWith(assistantPrefix);
  const model = isAssistant
    ? (assistant?.model ?? (await choices.defaultModel(owner)))
    : request.model;
  const parameters = isAssistant
    ? { ...(await choices.parametersFor(owner, model)), ...assistant?.parameters }
    : {};
  const prompts = [isAssistant ? assistant?.systemPrompt : '', request.system];
  const { clientTools, shape } = request;
  const isNone = shape.toolChoice === 'none' && clientTools.length === 0;
  const tools = selectionOf(request.servers, assistant?.mcp);
  return {
    assistantId: assistant?.id ?? 'default',
    model,
    systemPrompt: prompts.filter(Boolean).join('\n\n'),
    parameters: resolveParameters({ ...parameters, ...request.parameters }),
    ...limitedTo(isNone ? { ...tools, enabled: false } : tools, within),
    ...(clientTools.length > 0 && { clientTools }),
    ...(Object.keys(shape).length > 0 && { shape }),
    ...(request.approvals === 'refuse' && { unattended: true }),
  };
}

function selectionOf(
  servers: string[] | undefined,
  base: ToolSelection | undefined,
): ToolSelection {
  if (servers) return { enabled: servers.length > 0, mode: 'manual', selectedServers: servers };
  return base ?? { enabled: true, mode: 'auto', selectedServers: [] };
}

/**
 * The assistant of a request, by name or id. For a plain model it is the default one, whose servers apply if the
 * request names none. Throws `model_not_found`.
 */
async function findAssistant(
  { db }: Store,
  owner: string,
  { model, servers }: RunRequest,
): Promise<Assistant | undefined> {
  if (!model.startsWith(assistantPrefix))
    return servers ? undefined : getAssistant(db, owner, 'default');
  const name = model.slice(assistantPrefix.length);
  const all = await listAssistants(db, owner);
  const found = all.find((each) => each.name === name) ?? all.find(({ id }) => id === name);
  if (found) return found;
  throw new CeriseError(
    'model_not_found',
    say('no-assistant-model')`There is no assistant named ${name.slice(0, 100)}.`,
    { hint: say('v1-models-hint')`See GET /v1/models for all models and assistants.` },
  );
}
