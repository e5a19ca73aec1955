import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import {
  completeSchema,
  completionSchema,
  diagnosisSchema,
  getPromptSchema,
  promptResultSchema,
  promptViewSchema,
  readResourceSchema,
  resourceContentsSchema,
  resourceViewSchema,
  templateViewSchema,
} from '#shared/server-api.ts';
import type { Api } from '../api.ts';

const truncated = z.boolean();

/** What a server offers besides tools, and what explains its state. */
export function serverContentRoutes(api: Api, host: Host): void {
  const { contents } = host;
  api.get(
    {
      path: '/api/servers/:id/prompts',
      summary: 'The prompts of a server; connects it if need be.',
      response: z.object({ prompts: z.array(promptViewSchema), truncated }),
    },
    async ({ owner, params }) => {
      const { entries, truncated } = await contents.prompts(owner, params.id);
      return { prompts: entries, truncated };
    },
  );
  api.post(
    {
      path: '/api/servers/:id/prompts/:name/get',
      summary: 'A prompt with its arguments filled in.',
      body: getPromptSchema,
      response: promptResultSchema,
    },
    ({ owner, params, body }) => contents.getPrompt(owner, params.id, params.name, body.arguments),
  );
  api.get(
    {
      path: '/api/servers/:id/resources',
      summary: 'The resources of a server; connects it if need be.',
      response: z.object({ resources: z.array(resourceViewSchema), truncated }),
    },
    async ({ owner, params }) => {
      const { entries, truncated } = await contents.resources(owner, params.id);
      return { resources: entries, truncated };
    },
  );
  api.get(
    {
      path: '/api/servers/:id/templates',
      summary: 'The patterns of addresses that a server can read.',
      response: z.object({ templates: z.array(templateViewSchema), truncated }),
    },
    async ({ owner, params }) => {
      const { entries, truncated } = await contents.templates(owner, params.id);
      return { templates: entries, truncated };
    },
  );
  api.post(
    {
      path: '/api/servers/:id/resources/read',
      summary: 'The contents of a resource.',
      body: readResourceSchema,
      response: z.object({ contents: z.array(resourceContentsSchema) }),
    },
    ({ owner, params, body }) => contents.readResource(owner, params.id, body.uri),
  );
  api.post(
    {
      path: '/api/servers/:id/complete',
      summary: 'Proposals for the value of an argument of a prompt or a template.',
      body: completeSchema,
      response: completionSchema,
    },
    ({ owner, params, body: { ref, argument, known } }) =>
      contents.complete(owner, params.id, ref, argument, known),
  );
  api.get(
    {
      path: '/api/servers/:id/diagnosis',
      summary: 'Everything that explains why a server works or does not. Asks the server nothing.',
      response: diagnosisSchema,
    },
    ({ owner, params }) => contents.diagnose(owner, params.id),
  );
}
