import { vendors } from './vendors.ts';

/** A vendor whose key is in the environment. */
export interface EnvironmentProvider {
  name: string;
  kind: string;
  baseUrl: string;
  apiKey: string;
}

/** The variables of the environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The vendors whose keys are in the environment, in the order of our list. Pure. */
export function findEnvironmentProviders(env: Variables): EnvironmentProvider[] {
  return vendors.flatMap(({ name, wire, baseUrl, keyVariables }) => {
    const variable = keyVariables.find((key) => env[key]?.trim());
    const apiKey = variable && env[variable]?.trim();
    if (!variable || !apiKey) return [];
    const elsewhere = readBaseUrl(env, variable);
    // Anthropic's own tools write this address without the version.
    const bare = wire === 'anthropic-messages' && elsewhere && !/\/v\d+$/.test(elsewhere);
    const address = (bare ? `${elsewhere}/v1` : elsewhere) ?? baseUrl;
    return address ? [{ name, kind: name, baseUrl: address, apiKey }] : [];
  });
}

/** A key for a proxy must not go to the vendor: `OPENAI_BASE_URL` belongs to `OPENAI_API_KEY`. */
function readBaseUrl(env: Variables, keyVariable: string): string | undefined {
  const given = env[keyVariable.replace(/_(API_KEY|TOKEN)$/, '_BASE_URL')]?.trim();
  if (!given || !/^https?:$/.test(URL.parse(given)?.protocol ?? '')) return undefined;
  return given.replace(/\/+$/, '');
}
