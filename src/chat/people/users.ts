import { randomUUIDv7 } from 'node:crypto';
import type { ChangedUserView, CreatedUserView, Role, UserView } from '#shared/api/people-api.ts';
import { Rereading } from '#shared/async/rereading.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { insertAssistant } from '#store/configuration/assistants.ts';
import { sweepTopics } from '#store/conversations/sweep.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import { inSlices } from '#store/database/slices.ts';
import type { Db, Store } from '#store/database/store.ts';
import { deleteApiKeys, listApiKeys } from '#store/people/api-keys.ts';
import { insertAudit } from '#store/people/audit.ts';
import { deleteGrants } from '#store/people/grants.ts';
import { deleteSignInLinks } from '#store/people/sign-in-links.ts';
import { deleteSignIns } from '#store/people/sign-ins.ts';
import {
  deleteUser,
  deleteUserSlice,
  findUser,
  insertUser,
  listUsers,
  markRemoved,
  unshareAll,
  updateUser,
  type User,
} from '#store/people/users.ts';
import { addUp } from '#store/usage/sums.ts';
import type { Signals } from '../topic/signals.ts';
import { toKeyView } from './api-keys.ts';
import type { OpenStreams } from './open-streams.ts';
import { assertLongEnough, hashPassword, type PasswordLimits } from './passwords.ts';
import { newToken } from './secret-token.ts';
import { assertStill } from './visitor.ts';

/** The admin every host has: the one at its console. */
export const localOwner = 'local';

/** Who changes what follows from a person's own sign-in: no admin does. */
export const byThemselves = 'sign-in';

const maxUsers = 10_000;

interface UserChange {
  name?: string | undefined;
  role?: Role | undefined;
  disabled?: boolean | undefined;
  password?: string | undefined;
  /** Ends their keys as well. */
  endKeys?: boolean | undefined;
}

interface UsersDeps {
  store: Store;
  streams: OpenStreams;
  limits: PasswordLimits;
  signals: Signals;
  now: () => number;
}

/** The people who may use this host. Roles are kept in memory, since everything asks for them. */
export class Users {
  readonly #deps: UsersDeps;
  readonly #reading = new Rereading(() => this.#read());
  #roles: ReadonlyMap<string, Role> = new Map();

  constructor(deps: UsersDeps) {
    this.#deps = deps;
  }

  isAdmin(owner: string): boolean {
    return this.#roles.get(owner) === 'admin';
  }

  /** Whose servers and providers may be everybody's. */
  admins(): string[] {
    return [...this.#roles].filter(([, role]) => role === 'admin').map(([id]) => id);
  }

  /** Whether the one person with the console is alone here. */
  get isAlone(): boolean {
    return this.#roles.size <= 1;
  }

  async list(): Promise<UserView[]> {
    const all = await listUsers(this.#deps.store.db);
    return all.filter(({ removedAt }) => removedAt === undefined).map(toView);
  }

  async get(id: string): Promise<UserView> {
    return toView(await this.#find(this.#deps.store.db, id));
  }

  /** Adds somebody, with an assistant of their own. A password that is not given is made and told once. */
  async create(
    actor: string,
    fields: { name: string; role: Role; password?: string | undefined },
  ): Promise<CreatedUserView> {
    if (fields.password !== undefined) assertLongEnough(fields.password, this.#deps.limits);
    const password = fields.password ?? newToken().slice(0, 20);
    const passwordHash = await hashPassword(password);
    const user = await this.add({ ...fields, passwordHash }, actor);
    return { ...toView(user), ...(fields.password === undefined && { password }) };
  }

  /** The same for somebody whose name was proved elsewhere. */
  async add(
    fields: Pick<User, 'name' | 'role'> & Partial<User>,
    actor = byThemselves,
  ): Promise<User> {
    const { now } = this.#deps;
    const { name, role, passwordHash, oidcSubject } = fields;
    if (this.#roles.size >= maxUsers)
      throw new CeriseError(
        'too_many_requests',
        say('people-at-most')`A host can have up to ${maxUsers} users.`,
      );
    const user: User = {
      id: randomUUIDv7(),
      name,
      role,
      disabled: false,
      ...(passwordHash && { passwordHash }),
      ...(oidcSubject && { oidcSubject }),
      createdAt: now(),
    };
    await this.#change(actor, async (tx) => {
      await insertUser(tx, user);
      await insertAssistant(tx, user.id, defaultAssistant(now()));
      const details = { role };
      await insertAudit(tx, { owner: actor, action: 'user.add', subject: user.id, details }, now());
    });
    await this.#changed();
    return user;
  }

  /**
   * A new role, a new password or being disabled ends all sign-ins, connected programs and streams of that person at
   * once, and links for the console where it is theirs. Keys stay unless they are to end: those left are named.
   */
  async update(actor: string, id: string, change: UserChange): Promise<ChangedUserView> {
    const { store, streams, now } = this.#deps;
    const { name, role, disabled, password, endKeys } = change;
    if (id === localOwner && (disabled === true || role === 'user')) throw mustStay();
    if (password !== undefined) assertLongEnough(password, this.#deps.limits);
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const endsSignIns = await this.#change(actor, async (tx) => {
      const before = await this.#find(tx, id);
      // What is theirs is being removed: nobody lets them in again.
      if (before.removedAt !== undefined) throw personGone();
      const isOther = role !== undefined && role !== before.role;
      const ends = isOther || disabled === true || passwordHash !== undefined;
      await updateUser(tx, id, {
        ...(name !== undefined && { name }),
        ...(role && { role }),
        ...(disabled !== undefined && { disabled }),
        ...(passwordHash !== undefined && { passwordHash }),
      });
      if (ends) await deleteSignIns(tx, id);
      if (ends) await deleteGrants(tx, id);
      if (ends && id === localOwner) await deleteSignInLinks(tx);
      if (endKeys) await deleteApiKeys(tx, id);
      if (isOther && role === 'user') await unshareAll(tx, id, now());
      const { password: _, ...told } = change;
      const details = { ...told, ...(password !== undefined && { password: 'set' }) };
      const facts = JSON.parse(JSON.stringify(details)) as Record<string, string>;
      await insertAudit(
        tx,
        { owner: actor, action: 'user.update', subject: id, details: facts },
        now(),
      );
      return ends || endKeys === true;
    });
    if (endsSignIns) streams.end(id);
    await this.#changed();
    return { ...(await this.get(id)), keys: (await listApiKeys(store.db, id)).map(toKeyView) };
  }

  /** Removes somebody with everything that is theirs. They are out before the first of it goes. */
  async delete(actor: string, id: string): Promise<void> {
    const { streams, now } = this.#deps;
    if (id === localOwner) throw mustStay();
    await this.#change(actor, async (tx) => {
      await this.#find(tx, id);
      await updateUser(tx, id, { disabled: true });
      await markRemoved(tx, id, now());
      await deleteSignIns(tx, id);
      await deleteGrants(tx, id);
      await insertAudit(tx, { owner: actor, action: 'user.remove', subject: id }, now());
    });
    streams.end(id);
    await this.#remove(id);
  }

  /** Goes on with those whose removal was cut: by the end of its host, or of its database. */
  async finishRemovals(signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const { id, removedAt } of await listUsers(this.#deps.store.db))
      if (removedAt !== undefined && !signal.aborted)
        await this.#remove(id, signal).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** In slices, and each of them once: a later run finds less. The signal leaves the rest to them. */
  #remove(id: string, signal?: AbortSignal): Promise<void> {
    const { store, signals } = this.#deps;
    return store.exclusive(`remove ${id}`, async () => {
      await signals.tell('person-leaving', { owner: id, signal });
      await sweepTopics(store, { owner: id, signal });
      const slice = () => store.transaction((tx) => deleteUserSlice(tx, id), 'relaxed');
      if (!(await inSlices(slice, signal))) return;
      // Not left to others: what they would add up of somebody who is gone would stay.
      for (const queue of ['usage_changes', 'storage_changes'] as const)
        await addUp(store, id, queue);
      await store.transaction((tx) => deleteUser(tx, id));
      await this.#changed();
    });
  }

  /** Takes over what another host has changed. */
  reload(): Promise<void> {
    return this.#reading.load();
  }

  async #read(): Promise<void> {
    const users = await listUsers(this.#deps.store.db);
    const before = this.#roles;
    this.#roles = new Map(users.map(({ id, role }) => [id, role]));
    for (const [id, role] of before)
      if (this.#roles.get(id) !== role)
        await this.#deps.signals.tell('role-changed', { owner: id });
  }

  /** All changes of people take turns: each looks at what there is before, and whether its actor is still an admin. */
  #change<T>(actor: string, work: (tx: Db) => Promise<T>): Promise<T> {
    const { store } = this.#deps;
    return transactSerially(store, 'users', async (tx) => {
      if (actor !== byThemselves) await assertStill(tx, store.dialect, actor, true);
      return work(tx);
    });
  }

  async #changed(): Promise<void> {
    await this.reload();
    void this.#deps.signals.tell('tell-changed', {});
  }

  async #find(db: Db, id: string): Promise<User> {
    const user = await findUser(db, { id });
    if (user) return user;
    throw personGone();
  }
}

function toView(user: User): UserView {
  const { passwordHash, oidcSubject, removedAt: _, ...shown } = user;
  return {
    ...shown,
    hasPassword: passwordHash !== undefined,
    hasOidc: oidcSubject !== undefined,
  };
}

function personGone(): CeriseError {
  return new CeriseError('user_not_found', say('person-gone')`This user doesn't exist.`);
}

function mustStay(): CeriseError {
  return new CeriseError(
    'conflict',
    say('console-admin-stays')`The console admin can't be removed or demoted.`,
    {
      hint: say('console-admin-hint')`You can change its name and password.`,
    },
  );
}

function defaultAssistant(at: number) {
  return {
    id: 'default',
    name: 'Assistant',
    systemPrompt: '',
    parameters: {},
    mcp: { enabled: true, mode: 'auto' as const, selectedServers: [] },
    createdAt: at,
    updatedAt: at,
  };
}
