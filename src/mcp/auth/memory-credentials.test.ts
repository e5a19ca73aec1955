import { describe } from 'vitest';
import { testCredentialPort } from '../../../test/fixtures/credential-port.ts';
import { createMemoryCredentials } from './memory-credentials.ts';

describe('credentials in memory', () => {
  testCredentialPort(async (now) => createMemoryCredentials(now));
});
