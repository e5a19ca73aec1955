import { describe, expect, it } from 'vitest';
import { Rereading } from './rereading.ts';

function underTest() {
  const answers: PromiseWithResolvers<void>[] = [];
  const reading = new Rereading(() => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  });
  const settled = async () => {
    for (let n = 0; n < 10; n++) await Promise.resolve();
  };
  return { answers, reading, settled };
}

describe('reading what events change too', () => {
  it('reads once where nothing is said meanwhile', async () => {
    const { answers, reading } = underTest();
    const loading = reading.load();
    answers[0]?.resolve();
    await loading;
    expect(answers).toHaveLength(1);
  });

  it('reads again what was said something of meanwhile', async () => {
    const { answers, reading, settled } = underTest();
    let done = false;
    const loading = reading.load().then(() => (done = true));
    reading.changed();
    reading.changed();
    answers[0]?.resolve();
    await settled();
    expect([answers.length, done]).toEqual([2, false]);
    answers[1]?.resolve();
    await loading;
    expect(answers).toHaveLength(2);
  });

  it('gives a later wish what was read after it', async () => {
    const { answers, reading, settled } = underTest();
    void reading.load();
    const later = reading.load();
    answers[0]?.resolve();
    await settled();
    answers[1]?.resolve();
    await later;
    expect(answers).toHaveLength(2);
  });

  it('reads anew after a failure', async () => {
    const { answers, reading } = underTest();
    const failing = reading.load();
    answers[0]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    const loading = reading.load();
    answers[1]?.resolve();
    await loading;
  });
});
