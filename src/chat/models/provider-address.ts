import { compatibleKind, findVendor, vendors } from '#models/vendors/vendors.ts';
import { updateProviderSchema } from '#shared/api/provider-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import { toEnterAgain } from '#shared/text/secret-address.ts';
import type { ProviderPatch, StoredProvider } from '#store/configuration/providers.ts';
import { refusalOf } from '../people/admin-fields.ts';

/** The address that counts. Throws CeriseError `invalid_request` where there is none. */
export function checkAddress(kind: string, given: string | undefined): string {
  const vendor = findVendor(kind);
  if (!vendor) {
    const near = nearestNames(
      kind,
      vendors.map(({ name }) => name),
    );
    throw new CeriseError(
      'invalid_request',
      say('provider-kind-unknown')`Unknown provider kind: “${kind}”.`,
      {
        hint: say(
          'provider-kind-near',
        )`Similar: ${near.join(', ')}. For any other service, use ${compatibleKind} with its base URL.`,
      },
    );
  }
  const address = given || vendor.baseUrl;
  if (address) return address;
  throw new CeriseError(
    'invalid_request',
    say('provider-needs-url')`A provider of kind ${kind} needs a base URL.`,
    {
      hint: say('provider-url-hint')`Enter the URL of its API. It often ends in /v1.`,
    },
  );
}

/** Where a provider leads: its own address, else that of its vendor. */
export function addressOf({ kind, baseUrl }: Pick<StoredProvider, 'kind' | 'baseUrl'>): string {
  return baseUrl || (findVendor(kind)?.baseUrl ?? '');
}

/** Why a provider that an admin added is not used for somebody who is none. */
export function heldBack({ kind, baseUrl }: Pick<StoredProvider, 'kind' | 'baseUrl'>) {
  return refusalOf(updateProviderSchema, { kind, baseUrl });
}

/** The stored keys that do not go where a provider leads after a change. */
export function droppedKeys(row: StoredProvider, { kind, baseUrl }: ProviderPatch): string[] {
  const before = addressOf(row);
  const after = addressOf({ kind: kind ?? row.kind, baseUrl: baseUrl ?? row.baseUrl });
  return toEnterAgain({ before, after }, ['apiKey']);
}
