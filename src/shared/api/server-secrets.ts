import { mapAddressSecrets } from '../text/address-secrets.ts';
import { mapAuthSecrets } from '../vocabulary/server-auth.ts';
import type { ServerConfig } from '../vocabulary/server.ts';

/** Where a secret of a server stands; `address` is the query of its URL. */
export type SecretPlace = 'env' | 'headers' | 'secrets' | 'auth' | 'address' | 'bundle';

/** What becomes of a secret, by where it stands and what it is called there. */
type Change = (value: string, place: SecretPlace, name: string) => string;

/**
 * The one list of what is secret in a config: values of variables, headers and named secrets, keys of sign-ins,
 * secret settings of a bundle, and keys in addresses. Gives the same config with each of them changed.
 */
export function mapSecrets(config: ServerConfig, change: Change): ServerConfig {
  const changeAll = (values: Record<string, string>, place: SecretPlace): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, change(value, place, name)]),
    );
  if (config.type === 'inMemory') return config;
  const secrets = config.secrets && { secrets: changeAll(config.secrets, 'secrets') };
  if (config.type === 'stdio') {
    const { env, bundle } = config;
    const settings = bundle && { ...bundle, secrets: changeAll(bundle.secrets, 'bundle') };
    return {
      ...config,
      env: changeAll(env, 'env'),
      ...secrets,
      ...(settings && { bundle: settings }),
    };
  }
  const { baseUrl, headers, auth } = config;
  return {
    ...config,
    baseUrl: mapAddressSecrets(baseUrl, (value, name) => change(value, 'address', name)),
    ...(headers && { headers: changeAll(headers, 'headers') }),
    ...secrets,
    ...(auth && { auth: mapAuthSecrets(auth, (value, name) => change(value, 'auth', name)) }),
  };
}

/** What of a config must never be shown. */
export function listSecrets(config: ServerConfig): string[] {
  const secrets: string[] = [];
  mapSecrets(config, (value) => {
    secrets.push(value);
    return value;
  });
  return secrets;
}
