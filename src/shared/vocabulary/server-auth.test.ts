import { describe, expect, it } from 'vitest';
import { mapAuthSecrets, serverAuthSchema, serverAuthSecrets } from './server-auth.ts';

describe('the settings of a sign-in', () => {
  it('mean a person unless told', () => {
    expect(serverAuthSchema.parse({})).toEqual({ grant: 'authorization_code' });
    expect(serverAuthSchema.parse({ clientId: 'a' })).toMatchObject({
      grant: 'authorization_code',
    });
  });

  it.each([
    [{ grant: 'client_credentials' }],
    [{ grant: 'authorization_code', idToken: 'x' }],
    [{ grant: 'enterprise', clientId: 'a', idpClientId: 'b', idToken: 'c' }],
    [{ grant: 'workload', clientId: 'a' }],
    [{ grant: 'workload', clientId: 'a', assertion: 'a.b.c', assertionFile: '/x' }],
    [{ grant: 'password' }],
    [{ scopes: ['two words'] }],
    [{ authorizationServer: 'javascript:alert(1)' }],
  ])('cannot be %j', (value) => {
    expect(serverAuthSchema.safeParse(value).success).toBe(false);
  });

  it('name every secret they can hold', () => {
    const all = serverAuthSchema.options.flatMap((option) => Object.keys(option.shape));
    const secret = [...new Set(all)].filter((name) =>
      /secret|privateKey|idToken|assertion$/i.test(name),
    );
    expect(secret.toSorted()).toEqual([...serverAuthSecrets].toSorted());
  });

  it('have their secrets changed and nothing else', () => {
    const auth = serverAuthSchema.parse({ clientId: 'a', clientSecret: 'b', scopes: ['c'] });
    const changed = mapAuthSecrets(auth, (value, name) => `${name}:${value}`);
    expect(changed).toEqual({ ...auth, clientSecret: 'clientSecret:b' });
  });
});
