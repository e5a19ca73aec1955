import type { SignInWays } from '#shared/api/people-api.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { deleteSignInLinks } from '#store/people/sign-in-links.ts';
import { hasPasswords } from '#store/people/users.ts';
import { Grants } from '../grants/grants.ts';
import { ApiKeys } from '../people/api-keys.ts';
import { Oidc, type OidcOptions } from '../people/oidc.ts';
import { OpenStreams } from '../people/open-streams.ts';
import { SignIns } from '../people/sign-ins.ts';
import { Users } from '../people/users.ts';
import type { Base } from './base.ts';

/** Between two looks for credentials that have run out while a stream was open. */
const checkEveryMs = 30_000;

/** The people of a host, how they come in, and the streams that end when they may not any more. */
export async function createPeople(
  { store, limits, logger, signals, now }: Base,
  deps: {
    box: SecretBox;
    adminTokens: readonly string[];
    oidc: OidcOptions | undefined;
    signInLink: boolean | undefined;
    command: string | undefined;
  },
) {
  const { box, adminTokens } = deps;
  const streams = new OpenStreams({ store, signals, now });
  const keys = new ApiKeys({ store, streams, now });
  const grants = new Grants({ store, streams, limits, now });
  const users = new Users({ store, streams, limits, signals, now });
  await users.reload();
  // The one process of a SQLite database has a console, where it prints a new link.
  if (store.dialect === 'sqlite') await deleteSignInLinks(store.db);
  const timer = setInterval(() => {
    streams
      .check()
      .catch((error: unknown) =>
        logger.warn(toErrorInfo(error), 'Could not check for expired sign-ins'),
      );
  }, checkEveryMs).unref();
  const signIns = new SignIns({
    store,
    adminTokens,
    keys,
    accessTokens: grants,
    streams,
    signInLink: deps.signInLink,
    limits,
    now,
  });
  const oidc = deps.oidc && new Oidc(deps.oidc, { store, box, users, signIns, now });
  return {
    streams,
    keys,
    grants,
    users,
    signIns,
    oidc,
    ways: async (): Promise<SignInWays> => ({
      password: await hasPasswords(store.db),
      ...(oidc && { oidc: { name: oidc.name } }),
      link: users.isAlone && !oidc && signIns.links.isOn,
      command: deps.command ?? 'cerise',
    }),
    /** Another host may have ended a sign-in or changed somebody. */
    reload: async () => {
      await users.reload();
      await streams.check();
    },
    close: () => clearInterval(timer),
  };
}
