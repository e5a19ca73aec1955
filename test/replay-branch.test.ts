import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until } from './host.ts';

const model = 'test/first';
const other = 'test/other';
const steps = 12;
const toolsOf = ({ blocks }: Message) =>
  blocks.filter((block): block is ToolBlock => block.type === 'tool');
const textOf = ({ blocks }: Message) =>
  blocks.map((block) => (block.type === 'main_text' ? block.content : '')).join('');
const note = (n: number) => calls(['note', { n }, `call_${n}`]);

describeEachDatabase((_open, fresh) => {
  /** An answer of 12 steps, the last of which is text, and the lines that its calls have written. */
  async function start(then: ScriptedModel = new ScriptedModel()) {
    const folder = mkdtempSync(join(tmpdir(), 'cerise-branch-'));
    const file = join(folder, 'lines');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const tool: NativeTool = {
      name: 'note',
      description: 'Appends a line',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      execute: async ({ n }) => {
        appendFileSync(file, `${JSON.stringify(n)}\n`);
        return { content: [{ type: 'text', text: `line ${JSON.stringify(n)}` }] };
      },
    };
    const rounds = Array.from({ length: steps - 1 }, (_, index) => note(index + 1));
    const scripted = new ScriptedModel(...rounds, says('Twelve steps.'));
    const models = { [model]: scripted, [other]: then };
    const host = await openHost(fresh, { models, tools: [tool] });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    const first = await ask(host, topic.id, 'Write twelve lines.');
    const lines = () => readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(lines()).toEqual(Array.from({ length: steps - 1 }, (_, index) => index + 1));
    const branch = async (changes: Parameters<typeof host.messages.regenerate>[2]) => {
      const { answerId } = await host.messages.regenerate(owner, first.id, changes);
      return finished(host, topic.id, answerId);
    };
    return { host, topic, first, scripted, lines, branch };
  }

  it('calls neither model nor tool before the step from which an answer is made anew', async () => {
    const { first, scripted, lines, branch } = await start();
    for (let from = 1; from <= steps; from += 1) {
      const written = lines().length;
      const asked = scripted.requests.length;
      scripted.rounds.push(
        ...(from < steps ? [note(100 + from)] : []),
        says(`Other from ${from}.`),
      );
      const answer = await branch({ from, tools: 'live' });
      expect(lines().slice(written)).toEqual(from < steps ? [100 + from] : []);
      const requests = scripted.requests.slice(asked);
      expect(requests[0]).toEqual(scripted.requests[from - 1]);
      expect(requests).toHaveLength(from < steps ? 2 : 1);
      expect(toolsOf(answer).map(({ arguments: { n } }) => n)).toEqual([
        ...Array.from({ length: from - 1 }, (_, index) => index + 1),
        ...(from < steps ? [100 + from] : []),
      ]);
      expect(textOf(answer)).toBe(`Other from ${from}.`);
      expect(answer.parentId).toBe(first.parentId);
      expect(answer.status).toBe('success');
    }
  });

  it('gives another model the recorded results and runs nothing', async () => {
    const then = new ScriptedModel(note(6), calls(['note', { n: 77 }]), says('Different.'));
    const { lines, branch } = await start(then);
    const changes = {
      model: other,
      systemPrompt: 'Be brief.',
      from: 6,
      tools: 'recorded',
    } as const;
    const answer = await branch(changes);
    expect(lines()).toHaveLength(steps - 1);
    expect(answer.model).toBe(other);
    expect(then.requests[0]?.system).toContain('Be brief.');
    const [recorded, missing] = toolsOf(answer).slice(5);
    expect(recorded).toMatchObject({ state: 'succeeded', arguments: { n: 6 } });
    expect(JSON.stringify(recorded?.result)).toContain('line 6');
    expect(missing).toMatchObject({ state: 'failed', reach: 'never-left' });
    expect(missing?.error?.messageSaid?.id).toBe('no-recorded-result');
  });

  it('asks for each call where that is wanted, whatever the rules allow', async () => {
    const then = new ScriptedModel(note(50), says('Allowed.'));
    const { host, topic, first, lines } = await start(then);
    const changes = { model: other, from: 3, tools: 'ask' } as const;
    const { answerId } = await host.messages.regenerate(owner, first.id, changes);
    await until(host, topic.id, answerId, ({ status }) => status === 'waiting');
    expect(lines()).toHaveLength(steps - 1);
    const [call] = await host.approvals.waiting(owner);
    const decision = {
      decision: 'approve',
      scope: 'once',
      argsHash: call?.argsHash ?? '',
    } as const;
    await host.approvals.decide(owner, call?.id ?? '', decision);
    expect(textOf(await finished(host, topic.id, answerId))).toBe('Allowed.');
    expect(lines().at(-1)).toBe(50);
  });

  it('refuses a step that the answer does not have', async () => {
    const { branch } = await start();
    await expect(branch({ from: steps + 1 })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
