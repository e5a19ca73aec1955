import { describe, expect, it } from 'vitest';
import { LogRing } from './log-ring.ts';

describe('LogRing', () => {
  it('keeps the last lines within its size', () => {
    const ring = new LogRing(1000);
    for (let line = 0; line < 100; line++) ring.push('stderr', `line ${line}`);
    const lines = ring.lines();
    expect(lines.at(-1)).toContain('stderr: line 99');
    expect(Buffer.byteLength(lines.join(''))).toBeLessThanOrEqual(1000);
    ring.push('stderr', 'x'.repeat(100_000));
    expect(ring.lines()).toHaveLength(1);
    expect(ring.lines()[0]?.length).toBeLessThan(4200);
  });

  it('hides the secrets it knows, the longer before the shorter, and tokens it recognises', () => {
    const ring = new LogRing(64 * 1024);
    ring.setSecrets(['secret-1', 'secret-1-and-more', 'abc']);
    ring.push('stderr', 'a secret-1-and-more b secret-1 abc Authorization: Bearer eyJhbGciOi.x.y');
    expect(ring.lines()[0]).toMatch(
      /a \[redacted\] b \[redacted\] abc Authorization: Bearer \[redacted\]$/,
    );
  });

  it('keeps how a run began and how it ended apart from our own notes', () => {
    const ring = new LogRing(64 * 1024);
    const lines: string[] = [];
    ring.onOutput = (line) => lines.push(line);
    ring.push('stderr', 'first');
    ring.push('event', 'a note');
    ring.push('stderr', '  ');
    ring.push('stdout', 'text', 'skipped: ');
    for (let n = 0; n < 500; n++) ring.push('stderr', `line ${n}`);
    expect(ring.output.stdout).toEqual(['text']);
    expect(ring.output.stderr).toHaveLength(200);
    expect(ring.output.stderr.at(0)).toBe('first');
    expect(ring.output.stderr.at(-1)).toBe('line 499');
    expect(lines.slice(0, 2)).toEqual(['first', 'text']);
    ring.forgetOutput();
    expect(ring.output).toEqual({ stderr: [], stdout: [] });
  });
});
