import { Consents } from '../grants/consents.ts';
import type { Grants } from '../grants/grants.ts';
import { Programs } from '../grants/programs.ts';
import type { Settings } from '../models/settings.ts';
import { RegistrationThrottle } from '../people/sign-in-throttle.ts';
import type { Base } from './base.ts';

/** Programs that ask to be connected, people's decisions, and the resulting grants. */
export function createConsents({ store, limits, now }: Base, settings: Settings, grants: Grants) {
  const programs = new Programs({
    store,
    throttle: new RegistrationThrottle(store, now),
    fetchAllow: () => settings.fetchAllow(),
    limits,
    now,
  });
  return { grants, programs, consents: new Consents({ store, programs, limits, now }) };
}
