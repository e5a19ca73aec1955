import { randomUUIDv7 } from 'node:crypto';
import type { InstallRequestView, RequestEntry } from '#shared/api/registry-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import {
  decideRequest,
  deleteRequest,
  type InstallRequest,
  insertRequest,
  listRequests,
  requestOwner,
} from '#store/configuration/install-requests.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import type { Users } from '../people/users.ts';
import { assertStill, type Visitor } from '../people/visitor.ts';
import { waysOf } from './entry-way.ts';
import type { Registries } from './registries.ts';

type Who = Pick<Visitor, 'owner' | 'role'>;

interface RequestsDeps {
  store: Store;
  registries: Pick<Registries, 'find'>;
  users: Pick<Users, 'admins' | 'list'>;
  emit: (owner: string, event: HostEvent) => void;
  limits: Pick<Limits, 'installRequestsPerOwner'>;
  now: () => number;
}

/**
 * Requests of users for admins to install a server. A request only names an entry of the catalogue: no secret and no
 * command of a user reaches an admin.
 */
export class InstallRequests {
  readonly #deps: RequestsDeps;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /** A user's own requests; for an admin, also the open ones of others. */
  async list({ owner, role }: Who): Promise<{ requests: InstallRequestView[] }> {
    const { store, users } = this.#deps;
    const found = await listRequests(store.db, { owner, open: role === 'admin' });
    const others = found.some((one) => one.owner !== owner);
    const names = new Map(others ? (await users.list()).map(({ id, name }) => [id, name]) : []);
    return {
      requests: found.map((one) => {
        const user = one.owner === owner ? undefined : (names.get(one.owner) ?? one.owner);
        return { ...toView(one), ...(user !== undefined && { user }) };
      }),
    };
  }

  /** Requests an entry; a second request for it is the same one. Throws `not_found`, `too_many_requests`. */
  async create(owner: string, way: RequestEntry, signal: AbortSignal): Promise<InstallRequestView> {
    const { store, registries, limits, now } = this.#deps;
    const { server, view } = await registries.find(way, signal);
    if (!waysOf(server).some(({ place }) => place === way.place)) throw noRequest();
    const entry = { ...way, title: view.title };
    const request = await transactSerially(store, `install requests ${owner}`, async (tx) => {
      await assertStill(tx, store.dialect, owner);
      const own = (await listRequests(tx, { owner, open: false })).toReversed();
      const same = own.find((one) => one.status === 'open' && isSame(one, way));
      if (same) return same;
      await makeRoom(tx, own, limits.installRequestsPerOwner);
      const made: InstallRequest = {
        id: randomUUIDv7(),
        owner,
        entry,
        status: 'open',
        createdAt: now(),
      };
      await insertRequest(tx, made);
      await insertAudit(tx, { owner, action: 'server.request', subject: made.id, details: way });
      return made;
    });
    this.#tell(this.#deps.users.admins());
    return toView(request);
  }

  /** Withdraws a request, or dismisses a decided one. */
  async remove(owner: string, id: string): Promise<void> {
    const isGone = await this.#deps.store.transaction((tx) => deleteRequest(tx, owner, id));
    if (!isGone) throw noRequest();
    this.#tell([owner, ...this.#deps.users.admins()]);
  }

  /** For admins. */
  async deny(owner: string, id: string): Promise<InstallRequestView> {
    const { store, now } = this.#deps;
    const denied = await store.transaction(async (tx) => {
      await assertStill(tx, store.dialect, owner, true);
      const one = await decideRequest(tx, id, { status: 'denied', at: now() });
      if (!one) throw noRequest();
      await insertAudit(tx, { owner, action: 'server.request.deny', subject: id });
      return one;
    });
    this.#tell([denied.owner, ...this.#deps.users.admins()]);
    return toView(denied);
  }

  /** Takes part in the transaction that installs the entry: both happen, or neither. */
  async fulfil(
    tx: Db,
    id: string,
    wanted: { registry: string; name: string },
    serverId: string,
  ): Promise<void> {
    const decision = { status: 'approved' as const, serverId, at: this.#deps.now() };
    const one = await decideRequest(tx, id, decision);
    if (one?.entry.registry !== wanted.registry || one.entry.name !== wanted.name)
      throw noRequest();
  }

  /** Notifies everyone concerned that a request was decided. */
  async announce(id: string): Promise<void> {
    const owner = await requestOwner(this.#deps.store.db, id);
    this.#tell([...this.#deps.users.admins(), ...(owner === undefined ? [] : [owner])]);
  }

  #tell(owners: readonly string[]): void {
    for (const owner of new Set(owners))
      this.#deps.emit(owner, { type: 'install-requests-changed' });
  }
}

/** Removes decided requests to make room for a new one, oldest first. */
async function makeRoom(tx: Db, oldest: readonly InstallRequest[], most: number): Promise<void> {
  const decided = oldest.filter(({ status }) => status !== 'open');
  const surplus = oldest.length + 1 - most;
  if (surplus > decided.length)
    throw new CeriseError(
      'too_many_requests',
      say('requests-at-most')`You can have up to ${counted(most, 'open request')}.`,
      { hint: say('requests-at-most-hint')`Withdraw one, or wait until an admin reviews one.` },
    );
  for (const { owner, id } of decided.slice(0, Math.max(0, surplus)))
    await deleteRequest(tx, owner, id);
}

function isSame({ entry }: InstallRequest, way: RequestEntry): boolean {
  const { registry, name, version, place } = entry;
  const isEntry = registry === way.registry && name === way.name;
  return isEntry && version === way.version && place === way.place;
}

function toView({ id, entry, status, serverId, createdAt, decidedAt }: InstallRequest) {
  const view: InstallRequestView = {
    ...entry,
    id,
    status,
    ...(serverId !== undefined && { server: serverId }),
    createdAt,
    ...(decidedAt !== undefined && { decidedAt }),
  };
  return view;
}

function noRequest(): CeriseError {
  return new CeriseError(
    'not_found',
    say('request-gone')`This request doesn't exist, or was already answered.`,
  );
}
