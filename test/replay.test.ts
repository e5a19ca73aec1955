import { expect, it, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import { describeOnSqlite, type Fresh } from './databases.ts';
import { ScriptedModel } from './fakes/scripted-model.ts';
import { modelsFor, replayTools } from './fixtures/replay-host.ts';
import { type TurnToReplay, turnsToReplay } from './fixtures/replay-turns.ts';
import { finished, openHost, owner } from './host.ts';

/** How often every kind of turn is made, each time with other words: 10 make more than 300 topics. */
const seeds = Number(process.env['CERISE_REPLAYS'] ?? 1);

async function start(fresh: Fresh) {
  let current = new ScriptedModel();
  const host = await openHost(fresh, { models: modelsFor(() => current), tools: replayTools });
  onTestFinished(() => host.close());
  await host.settings.set(owner, { fetchAllow: [], recordAnswers: true });
  return { host, play: (script: ScriptedModel) => (current = script) };
}

/** Makes a turn; its answers in their order. */
async function make(
  { host, play }: { host: Host; play: (script: ScriptedModel) => unknown },
  turn: TurnToReplay,
) {
  play(new ScriptedModel(...turn.rounds));
  const topic = await host.topics.create(owner, { model: turn.model, title: turn.name });
  const ids: string[] = [];
  for (const [index, text] of turn.questions.entries()) {
    const { answerId } = await host.messages.send(owner, topic.id, { text });
    ids.push(answerId);
    if (index === turn.questions.length - 1) await turn.meanwhile?.(host, topic.id, answerId);
    await finished(host, topic.id, answerId);
  }
  return { topicId: topic.id, answers: ids };
}

describeOnSqlite((_open, fresh) => {
  it('makes every kind of turn again from its record: the same requests and the same blocks', async () => {
    const place = await start(fresh);
    const turns = Array.from({ length: seeds }, (_, seed) => turnsToReplay(seed)).flat();
    let requests = 0;
    let took = 0;
    for (const turn of turns) {
      const { answers } = await make(place, turn);
      for (const id of answers) {
        const begun = performance.now();
        const replay = await place.host.replays.replay(owner, id);
        took += performance.now() - begun;
        expect(replay.differences, turn.name).toEqual([]);
        requests += replay.requests;
      }
    }
    process.stdout.write(`${turns.length} topics, ${requests} requests, ${Math.round(took)} ms\n`);
  }, 600_000);
});
