import { expect, it, onTestFinished } from 'vitest';
import type { RequestContext } from '#shared/vocabulary/server-request.ts';
import { approved, callTool, testService } from '../../../test/fakes/mcp-servers.ts';
import { createDemoServer } from '../builtin/demo/demo.ts';

it('what an older server asks belongs to the call it asks for, while others run too', async () => {
  const asked: string[] = [];
  const both = Promise.withResolvers<void>();
  const note = async (kind: string, { callId }: RequestContext) => {
    asked.push(`${kind} of ${callId}`);
    if (asked.length === 2) both.resolve();
    await both.promise;
  };
  const service = testService({
    builtin: async () => createDemoServer(),
    answers: () => ({
      elicit: async ({ kind }, context) => {
        await note(kind, context);
        return { action: 'decline' };
      },
      sample: async (_params, context) => {
        await note('sampling', context);
        return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Sour ones.' } };
      },
      roots: async () => [],
    }),
  });
  onTestFinished(() => service.close());
  const record = approved({ type: 'inMemory', name: 'demo', builtin: 'demo' });
  await service.setServer(record);
  await Promise.all([
    callTool(service, record.id, 'ask_form', {}, { callId: 'one' }),
    callTool(service, record.id, 'ask_model', { question: 'Which?' }, { callId: 'two' }),
  ]);
  expect(new Set(asked)).toEqual(new Set(['form of one', 'sampling of two']));
});
