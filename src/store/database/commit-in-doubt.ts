import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** A commit whose end was not heard, from a database that cannot be asked at the moment. */
export class CommitInDoubt extends CeriseError {
  /** What the transaction gives if it happened. */
  readonly result: unknown;
  /** Asks the database whether it happened; throws while it cannot say. */
  readonly happened: () => Promise<boolean>;

  constructor(cause: unknown, result: unknown, happened: () => Promise<boolean>) {
    super(
      'storage_unavailable',
      say(
        'commit-in-doubt',
      )`The connection to the database was lost before it confirmed the change.`,
      {
        hint: say('commit-in-doubt-hint')`Check whether the change was saved before you repeat it.`,
        cause,
      },
    );
    this.name = 'CommitInDoubt';
    this.result = result;
    this.happened = happened;
  }
}
