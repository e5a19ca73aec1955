import { hostname } from 'node:os';
import type {
  HostLogEvent,
  HostLogLevel,
  HostLogView,
  LogLevelView,
} from '#shared/telemetry/log-api.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import { insertAudit } from '#store/people/audit.ts';
import { localOwner } from '../people/users.ts';
import { assertStill } from '../people/visitor.ts';
import type { HostLog } from '../telemetry/host-log.ts';
import type { Base } from './base.ts';

const settingKey = 'log-level';
/** How long a level set at run time lasts, so that nobody has to remember to reset it. */
const levelTimeMs = 3_600_000;

interface StoredLevel {
  level: HostLogLevel;
  until: number;
}

/** The log as admins see it, and its level, which all instances share. */
export class HostLogDoor {
  readonly #log: HostLog;
  readonly #base: Base;
  /** The level at the start. */
  readonly #usual: string;
  #stored: StoredLevel | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(base: Base, log: HostLog) {
    this.#base = base;
    this.#log = log;
    this.#usual = log.level;
    base.signals.on('heard-changed', () => this.load());
  }

  get level(): LogLevelView {
    const { until } = this.#stored ?? {};
    return { level: this.#log.level, usual: this.#usual, ...(until !== undefined && { until }) };
  }

  /** The lines of this instance. */
  view(wanted?: Parameters<HostLog['lines']>[0]): HostLogView {
    const instance = { id: this.#base.instance, host: hostname(), pid: process.pid };
    return { ...this.level, instance, lines: this.#log.lines(wanted) };
  }

  /** The last line, by a name that no other instance uses. */
  get position(): string {
    return `${this.#base.instance}/${this.#log.last}`;
  }

  /** The lines after a position; all of them where it is one of another instance. */
  viewAfter(position = ''): HostLogView {
    const [instance, line] = position.split('/');
    return this.view(instance === this.#base.instance ? { after: Number(line) } : {});
  }

  /** Calls back for new lines and changes of the level. Returns a function that ends that. */
  listen(hear: (event: HostLogEvent) => void): () => void {
    return this.#log.listen((news) => hear('line' in news ? news : { level: this.level }));
  }

  /** Sets the level of all instances for an hour; null resets it. */
  async set(owner: string, level: HostLogLevel | null): Promise<LogLevelView> {
    const { store, signals, now } = this.#base;
    const stored = level && { level, until: now() + levelTimeMs };
    await transactSerially(store, 'settings', async (tx) => {
      await assertStill(tx, store.dialect, owner, true);
      await setSetting(tx, localOwner, settingKey, stored);
      const details = { level };
      await insertAudit(tx, { owner, action: 'log-level.set', subject: settingKey, details });
    });
    this.#apply(stored ?? undefined);
    void signals.tell('tell-changed', {});
    return this.level;
  }

  /** Applies the stored level, which another instance may have set. */
  async load(): Promise<void> {
    const stored = await getSetting(this.#base.store.db, localOwner, settingKey);
    this.#apply((stored ?? undefined) as StoredLevel | undefined);
  }

  #apply(stored: StoredLevel | undefined): void {
    clearTimeout(this.#timer);
    const left = stored ? stored.until - this.#base.now() : 0;
    this.#stored = left > 0 ? stored : undefined;
    const level = this.#stored?.level ?? this.#usual;
    if (left > 0)
      this.#timer = setTimeout(() => this.#apply(stored), Math.min(left, levelTimeMs)).unref();
    if (level !== this.#log.level || left > 0) this.#log.level = level;
  }
}
