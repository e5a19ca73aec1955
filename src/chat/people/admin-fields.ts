import type { z } from 'zod';
import { privateAddress } from '#mcp/http/address-policy.ts';
import { describeVendor, findVendor } from '#models/vendors/vendors.ts';
import type { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import {
  type AdminMark,
  fieldName,
  type MarkedField,
  markedFields,
} from '#shared/vocabulary/field-marks.ts';
import { adminOnly } from './visitor.ts';

/**
 * Refuses what only admins may set, for everyone else. Every way in calls this with the schema and the
 * value as it will be kept. Throws `admin_only`, or `address_blocked` for an address that is not public;
 * both name the field.
 */
export function assertMaySet(schema: z.core.$ZodType, value: unknown): void {
  const refused = refusalOf(schema, value);
  if (refused) throw refused;
}

/** The same as a value: what was kept by an admin may belong to somebody who is none any more. */
export function refusalOf(schema: z.core.$ZodType, value: unknown): CeriseError | undefined {
  for (const field of markedFields(schema, value)) {
    const { adminOnly: mark } = field;
    if (mark === undefined) continue;
    const refused =
      mark === 'private-address'
        ? privateAddress(String(field.value), fieldName(field))
        : isRefused(mark, field) && refusal(mark, fieldName(field));
    if (refused) return refused;
  }
  return undefined;
}

/** A vendor elsewhere is anybody's to use; one on this machine is not. */
function isRefused(mark: AdminMark, { value }: MarkedField): boolean {
  if (mark !== 'local-vendor') return true;
  const vendor = findVendor(String(value));
  return vendor !== undefined && describeVendor(vendor).local;
}

function refusal(mark: Exclude<AdminMark, 'private-address'>, field: string): CeriseError {
  return adminOnly(say('field-admin')`Only an admin can set ${field}: ${reasons[mark]}.`, {
    field,
  });
}

const reasons: Record<Exclude<AdminMark, 'private-address'>, Words> = {
  command: say('field-command')`it determines what runs on this machine`,
  'host-file': say('field-host-file')`it refers to files on this machine`,
  'host-reach': say('field-host-reach')`it determines what the whole host can access`,
  'own-address': say('field-own-address')`it can be any URL`,
  'local-vendor': say('field-local-vendor')`it is a service on this machine`,
  trust: say('field-trust')`it marks a server as trusted`,
  'key-trust': say('field-key-trust')`it marks programs that use the key as trusted`,
  sharing: say('field-sharing')`it makes this available to everyone on this host`,
};
