import type { Host } from '#chat/host/host.ts';
import { assistantPrefix } from '#chat/runs/run-answer.ts';
import { type V1Model, v1ModelListSchema, v1ModelSchema } from '#shared/api/v1-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { read } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';

/** The models of a person as OpenAI and Anthropic list them, and their assistants beside them. */
export function v1ModelRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/v1/models',
      access: read,
      summary: 'List models and assistants (OpenAI, Anthropic).',
      response: v1ModelListSchema,
    },
    async ({ owner }) => {
      const data = await listModels(host, owner);
      const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
      return { object: 'list' as const, data, has_more: false, first_id: first, last_id: last };
    },
  );
  // Some clients write the slashes of a name as they are.
  for (const path of [
    '/v1/models/:id',
    '/v1/models/:provider/:model',
    '/v1/models/:provider/:vendor/:model',
  ] as const)
    api.get(
      {
        path,
        access: read,
        summary: 'Get a model or an assistant (OpenAI, Anthropic).',
        response: v1ModelSchema,
      },
      async ({ owner, params }) => {
        const id = Object.values(params).join('/');
        const found = (await listModels(host, owner)).find((model) => model.id === id);
        if (found) return found;
        throw new CeriseError('model_not_found', say('v1-no-model')`This model doesn't exist.`, {
          hint: say('v1-models-hint')`See GET /v1/models for all models and assistants.`,
        });
      },
    );
}

async function listModels(host: Host, owner: string): Promise<V1Model[]> {
  const models = await host.models.of(owner).list();
  const assistants = await host.assistants.list(owner);
  return [
    ...assistants.map(({ name, createdAt }) =>
      toModel(`${assistantPrefix}${name}`, name, 'cerise', createdAt),
    ),
    ...models
      .filter(({ hidden }) => !hidden)
      .map(({ id, name, provider }) => toModel(id, name, provider, 0)),
  ];
}

/** In the words of both vendors. */
function toModel(id: string, name: string, ownedBy: string, createdAt: number): V1Model {
  return {
    id,
    object: 'model',
    created: Math.floor(createdAt / 1000),
    owned_by: ownedBy,
    type: 'model',
    display_name: name,
    created_at: new Date(createdAt).toISOString(),
  };
}
