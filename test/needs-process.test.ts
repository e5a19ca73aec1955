import { describe, expect, it } from 'vitest';
import { needsProcess } from './needs-process.ts';

describe('a test file', () => {
  it.each([
    ['starts a process itself', 'test/http-channels.test.ts'],
    ['does so by a helper', 'test/approvals.test.ts'],
    ['opens a browser', 'test/e2e/tour.test.ts'],
    ['says that src does so for it', 'src/mcp/process/login-shell.test.ts'],
  ])('needs processes if it %s', (_, file) => expect(needsProcess(file)).toBe(true));

  it.each(['test/whole-turn.test.ts', 'src/server/routes/topics.test.ts'])(
    'is quick otherwise: %s',
    (file) => expect(needsProcess(file)).toBe(false),
  );
});
