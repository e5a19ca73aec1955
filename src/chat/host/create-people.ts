import type { SignInWays } from '#shared/api/people-api.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import { leftImports } from '#store/conversations/imports.ts';
import type { Store } from '#store/database/store.ts';
import { deleteSignInLinks } from '#store/people/sign-in-links.ts';
import { hasPasswords } from '#store/people/users.ts';
import type { Topics } from '../conversations/topics.ts';
import { settleImport } from '../data/staged-import.ts';
import { ApiKeys } from '../people/api-keys.ts';
import { Oidc, type OidcOptions } from '../people/oidc.ts';
import { OpenStreams } from '../people/open-streams.ts';
import type { PasswordLimits } from '../people/passwords.ts';
import { SignIns } from '../people/sign-ins.ts';
import { Users } from '../people/users.ts';
import type { Policy } from '../policy/policy.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';
import type { Engine } from './engine.ts';

/** Milliseconds between two looks for credentials that have run out while a stream was open. */
const checkEvery = 30_000;
const topicsAtOnce = 100;

/** What people have that is more than rows; made after the people themselves. */
interface Things {
  engine: Pick<Engine, 'changed'>;
  topics: Pick<Topics, 'list' | 'delete'>;
  loaded: LoadedServers;
  policy: Pick<Policy, 'roleChanged'>;
}

/** The people of a host, how they come in, and what ends when they may not any more. */
export async function createPeople(deps: {
  store: Store;
  box: SecretBox;
  adminTokens: readonly string[];
  oidc?: OidcOptions | undefined;
  signInLink?: boolean | undefined;
  logger: Logger;
  limits: PasswordLimits;
  now: () => number;
  things: () => Things;
}) {
  const { store, box, adminTokens, limits, logger, now, things } = deps;
  const changed = (): void => things().engine.changed();
  const streams = new OpenStreams(store, now, changed);
  const keys = new ApiKeys({ store, streams, now });
  const users = new Users({
    store,
    streams,
    limits,
    now,
    remove: async (owner, signal) => {
      for (const { seenAt: _, ...left } of await leftImports(store.db, { owner }))
        await settleImport(store, left, signal);
      await removeThings(things(), owner);
    },
    onRoleChange: (owner) => {
      const { loaded, policy } = things();
      policy.roleChanged(owner);
      return loaded.unload(owner);
    },
    onChange: changed,
  });
  await users.reload();
  // Whoever starts the one process of a SQLite database has its console, and gets a new link.
  if (store.dialect === 'sqlite') await deleteSignInLinks(store.db);
  const timer = setInterval(() => {
    streams
      .check()
      .catch((error: unknown) => logger.warn(toErrorInfo(error), 'Sign-ins were not looked at'));
  }, checkEvery).unref();
  const signIns = new SignIns({
    store,
    adminTokens,
    keys,
    streams,
    signInLink: deps.signInLink,
    limits,
    now,
  });
  const oidc = deps.oidc && new Oidc(deps.oidc, { store, box, users, signIns, now });
  return {
    streams,
    keys,
    users,
    signIns,
    oidc,
    ways: async (): Promise<SignInWays> => ({
      password: await hasPasswords(store.db),
      ...(oidc && { oidc: { name: oidc.name } }),
      link: users.isAlone && !oidc && signIns.links.isOn,
    }),
    /** Another host may have ended a sign-in or changed somebody. */
    reload: async () => {
      await users.reload();
      await streams.check();
    },
    enter: async (owner: string, wants?: { looksAtServers: boolean }) => {
      const { loaded } = things();
      await loaded.prepare(owner);
      if (wants?.looksAtServers) await loaded.refresh();
    },
    close: () => clearInterval(timer),
  };
}

/** Stops what runs and ends their servers; the rows go afterwards. */
async function removeThings({ topics, loaded }: Things, owner: string): Promise<void> {
  for (;;) {
    const some = await topics.list(owner, { limit: topicsAtOnce });
    for (const { id } of some) await topics.delete(owner, id);
    if (some.length === 0) break;
  }
  await loaded.unload(owner);
}
