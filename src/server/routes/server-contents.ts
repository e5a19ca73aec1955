import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { serverFor } from '#chat/servers/key-rights.ts';
import {
  completeSchema,
  completionSchema,
  diagnosisSchema,
  getPromptSchema,
  promptResultSchema,
  readResourceSchema,
  promptsSchema,
  resourcesSchema,
  templatesSchema,
  resourceReadSchema,
} from '#shared/api/server-api.ts';
import {
  readSkillSchema,
  skillContentsSchema,
  skillsSchema,
  watchResourceQuerySchema,
} from '#shared/api/tools-api.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import { chat, json, manage, read, secret, freshServers } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import { eventStream } from '../http/event-stream.ts';

/** What a server offers besides tools, and what explains its state. */
export function serverContentRoutes(api: Api, host: Host): void {
  const { contents, servers } = host;
  const whole = (visitor: Visitor, id: string) => serverFor(servers, visitor, id, 'all').id;
  api.get(
    {
      path: '/api/servers/:id/prompts',
      access: { ...read, ...freshServers },
      summary: "List a server's prompts. Connects it if necessary.",
      response: promptsSchema,
    },
    async ({ owner, visitor, params }) => {
      const id = whole(visitor, params.id);
      const { entries, truncated } = await contents.prompts(owner, id);
      return { prompts: entries, truncated };
    },
  );
  api.post(
    {
      path: '/api/servers/:id/prompts/:name/get',
      access: { ...chat, ...json, ...freshServers },
      summary: 'Get a prompt with its arguments filled in.',
      body: getPromptSchema,
      response: promptResultSchema,
    },
    async ({ owner, visitor, params, body }) =>
      contents.getPrompt(owner, whole(visitor, params.id), params.name, body.arguments),
  );
  api.get(
    {
      path: '/api/servers/:id/resources',
      access: { ...read, ...freshServers },
      summary: "List a server's resources. Connects it if necessary.",
      response: resourcesSchema,
    },
    async ({ owner, visitor, params }) => {
      const id = whole(visitor, params.id);
      const { entries, truncated } = await contents.resources(owner, id);
      return { resources: entries, truncated };
    },
  );
  api.get(
    {
      path: '/api/servers/:id/templates',
      access: { ...read, ...freshServers },
      summary: "List a server's resource templates.",
      response: templatesSchema,
    },
    async ({ owner, visitor, params }) => {
      const id = whole(visitor, params.id);
      const { entries, truncated } = await contents.templates(owner, id);
      return { templates: entries, truncated };
    },
  );
  useRoutes(api, host, whole);
  skillRoutes(api, host, whole);
  watchRoute(api, host, whole);
}

type Whole = (visitor: Visitor, id: string) => string;

function useRoutes(api: Api, { contents }: Host, whole: Whole): void {
  api.post(
    {
      path: '/api/servers/:id/resources/read',
      access: { ...chat, ...json, ...freshServers },
      summary: 'Read a resource.',
      body: readResourceSchema,
      response: resourceReadSchema,
    },
    async ({ owner, visitor, params, body }) =>
      contents.readResource(owner, whole(visitor, params.id), body.uri),
  );
  api.post(
    {
      path: '/api/servers/:id/complete',
      access: { ...chat, ...json, ...freshServers },
      summary: 'Get suggested values for an argument of a prompt or template.',
      body: completeSchema,
      response: completionSchema,
    },
    async ({ owner, visitor, params, body: { ref, argument, known } }) =>
      contents.complete(owner, whole(visitor, params.id), ref, argument, known),
  );
  api.get(
    {
      path: '/api/servers/:id/diagnosis',
      access: { ...manage, ...secret, ...freshServers },
      summary: 'Diagnose a server. Does not contact the server.',
      response: diagnosisSchema,
    },
    ({ owner, params }) => contents.diagnose(owner, params.id),
  );
}

function skillRoutes(api: Api, { contents }: Host, whole: Whole): void {
  api.get(
    {
      path: '/api/servers/:id/skills',
      access: { ...read, ...freshServers },
      summary: "List a server's skills. Connects it if necessary.",
      response: skillsSchema,
    },
    async ({ owner, visitor, params }) => {
      const { entries, truncated } = await contents.skills(owner, whole(visitor, params.id));
      return { skills: entries, truncated };
    },
  );
  api.post(
    {
      path: '/api/servers/:id/skills/read',
      access: { ...chat, ...json, ...freshServers },
      summary:
        "Read a skill's instructions or one of its files, checked against the server's list.",
      body: readSkillSchema,
      response: skillContentsSchema,
    },
    async ({ owner, visitor, params, body }) =>
      contents.readSkill(owner, whole(visitor, params.id), body.uri, body.file),
  );
}

function watchRoute(api: Api, host: Host, whole: Whole): void {
  api.get(
    {
      path: '/api/servers/:id/resources/events',
      access: { ...read, ...freshServers },
      summary:
        'Subscribe to a resource (`uri`): server-sent events, one now and one whenever it changes.',
      query: watchResourceQuerySchema,
    },
    ({ owner, visitor, params, query: { uri } }) => {
      const id = whole(visitor, params.id);
      return eventStream(host.limits, async (viewer) => {
        const tell = () => viewer.send(sseFrame({ type: 'resource-updated', uri }), true);
        const leave = await host.streams.add(visitor, () => viewer.end());
        try {
          const unsubscribe = await host.contents.watchResource(owner, id, uri, tell);
          tell();
          return () => {
            leave();
            void unsubscribe().catch(() => undefined);
          };
        } catch (error) {
          leave();
          throw error;
        }
      });
    },
  );
}
