import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { Limiter } from '#shared/async/limiter.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';

/** What hashing costs: memory in KiB, passes over it, and lanes. */
interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** The least that is advised for argon2id; hashes of another cost are made again at the next sign-in. */
const presentCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagBytes = 32;
/** Each takes 19 MiB and a core for some 40 ms. */
const atOnce = 2;
const maxWaiting = 50;

export type PasswordLimits = Pick<Limits, 'shortestPassword'>;

const limiter = new Limiter(atOnce);
let waiting = 0;

/** Throws `invalid_request` for a new password that is too short. */
export function assertLongEnough(password: string, { shortestPassword }: PasswordLimits): void {
  if (password.length >= shortestPassword) return;
  throw new CeriseError(
    'invalid_request',
    say(
      'password-at-least',
    )`Use at least ${counted(shortestPassword, 'character')} for the password.`,
  );
}

/** The hash of a password with the cost and the salt it was made with, as the PHC format writes it. */
export async function hashPassword(password: string, cost: Cost = presentCost): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, salt, cost);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

/**
 * Whether it is the password of a hash; `isOld` where the hash should be renewed. Without a hash it
 * takes the same time and is false: nobody can tell who exists.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<{ isRight: boolean; isOld: boolean }> {
  const parsed = parseHash(stored ?? nobody);
  if (!parsed)
    throw new CeriseError(
      'data_unreadable',
      say('password-unreadable')`A stored password can't be read.`,
    );
  const tag = await derive(password, parsed.salt, parsed.cost);
  const isRight = stored !== undefined && timingSafeEqual(tag, parsed.tag);
  return { isRight, isOld: JSON.stringify(parsed.cost) !== JSON.stringify(presentCost) };
}

const nobody = `$argon2id$v=19$m=${presentCost.memory},t=${presentCost.passes},p=1$${encode(
  randomBytes(16),
)}$${encode(randomBytes(tagBytes))}`;

function parseHash(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!match) return undefined;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** The same text however it was typed is the same password. */
async function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  if (waiting >= maxWaiting)
    throw new CeriseError(
      'too_many_requests',
      say('sign-ins-many')`Too many sign-ins are in progress.`,
      {
        hint: say('again-in-seconds')`Try again in a few seconds.`,
      },
    );
  waiting += 1;
  await limiter.acquire('argon2', new AbortController().signal);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const message = password.normalize('NFKC');
  argon2('argon2id', { message, nonce: salt, tagLength: tagBytes, ...cost }, (error, tag) =>
    error ? reject(error) : resolve(Buffer.from(tag)),
  );
  return promise.finally(() => {
    waiting -= 1;
    limiter.release('argon2');
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
