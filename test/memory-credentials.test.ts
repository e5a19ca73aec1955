import { describe } from 'vitest';
import { testCredentialPort } from './fixtures/credential-port.ts';
import { createMemoryCredentials } from './fakes/memory-credentials.ts';

describe('credentials in memory', () => {
  testCredentialPort(async (now) => createMemoryCredentials(now));
});
