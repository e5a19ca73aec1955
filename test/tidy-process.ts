import { afterAll, vi } from 'vitest';

// Runs before each test file of a worker that goes on with others afterwards.
const env = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
});
