import type { Host } from '#chat/host/host.ts';
import { assertUnlimited, policyFor, serverFor } from '#chat/servers/key-rights.ts';
import { rehearsalPlanSchema, rehearsalSchema, rehearseSchema } from '#shared/api/server-api.ts';
import { trustSchema, untrustedSchema } from '#shared/api/untrusted-api.ts';
import {
  approveToolSchema,
  policySchema,
  policyVerdictSchema,
  testPolicySchema,
  writePolicySchema,
} from '#shared/vocabulary/policy-api.ts';
import { json, manage, read, freshServers } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** What runs, what asks and what is refused, and which tools are still what was approved. */
export function policyRoutes(api: Api, host: Host): void {
  const { policy } = host;
  api.get(
    {
      path: '/api/policy',
      access: read,
      summary: 'Get the policy: its rules, including remembered decisions.',
      response: policySchema,
    },
    async ({ owner, visitor }) => policyFor(visitor, await policy.read(owner)),
  );
  api.put(
    {
      path: '/api/policy',
      access: { ...manage, ...json },
      summary: 'Replace the policy. With a version, only if it has not changed since.',
      body: writePolicySchema,
      response: policySchema,
    },
    ({ owner, body }) => policy.write(owner, body),
  );
  api.post(
    {
      path: '/api/policy/test',
      access: { ...read, ...json },
      summary: 'Test what the policy would do with a call, and which rule decides. Nothing runs.',
      body: testPolicySchema,
      response: policyVerdictSchema,
    },
    async ({ owner, visitor, body }) => {
      await host.servers.check(owner, [body.serverId]);
      serverFor(host.servers, visitor, body.serverId, { tool: body.toolName });
      return host.testPolicy(owner, body);
    },
  );
  api.get(
    {
      path: '/api/policy/untrusted',
      access: read,
      summary: 'List untrusted content stored in the memory, the workspace and trusted servers.',
      response: untrustedSchema,
    },
    async ({ owner, visitor }) => {
      assertUnlimited(visitor);
      return host.untrusted.list(owner);
    },
  );
  api.post(
    {
      path: '/api/policy/untrusted/trust',
      access: { ...manage, ...json },
      summary: 'Trust stored content by its keys. Content that changes becomes untrusted again.',
      body: trustSchema,
      status: 204,
    },
    async ({ owner, body }) => {
      await host.untrusted.trust(owner, body);
      return {};
    },
  );
  api.post(
    {
      path: '/api/servers/:id/tools/:name/approve',
      access: { ...manage, ...json, ...freshServers },
      summary: 'Approve the current definition of a tool by its hash.',
      body: approveToolSchema,
      status: 204,
    },
    async ({ owner, params, body }) => {
      await host.servers.approveTool(owner, params.id, params.name, body.definitionHash);
      return {};
    },
  );
  rehearsalRoutes(api, host);
}

/** What a server would be, before that is approved. */
function rehearsalRoutes(api: Api, { rehearsals }: Host): void {
  const path = '/api/servers/:id/rehearsal';
  api.get(
    {
      path,
      access: { ...manage, ...freshServers },
      summary: 'List the recorded read-only calls that a rehearsal of a server would make.',
      response: rehearsalPlanSchema,
    },
    ({ owner, params }) => rehearsals.plan(owner, params.id),
  );
  api.post(
    {
      path,
      access: { ...manage, ...json, ...freshServers },
      summary:
        'Start a separate instance of a server, repeat recorded read-only calls and compare.',
      body: rehearseSchema,
      response: rehearsalSchema,
    },
    ({ owner, params, body }) => rehearsals.rehearse(owner, params.id, body),
  );
}
