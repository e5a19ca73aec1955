import { CeriseError } from './errors.ts';

/** Where a host can be made to fail on purpose, and what has just happened or is about to. */
export const faultPoints = {
  'message-accepted': 'a message and its answer are committed; the answer has not begun',
  'model-asked': 'a request is about to go to the model',
  'model-stream': 'a batch of the model’s stream has arrived',
  'round-ended': 'the model’s stream has ended; its calls are not recorded yet',
  'calls-recorded': 'the calls of a round are committed; none has been sent',
  'approval-committed': 'a person’s decision is committed; the call has not gone on',
  'before-dispatch': 'a call is about to be committed as dispatching',
  'dispatch-committed': 'a call is committed as dispatching; no byte has left',
  'bytes-left-stdio': 'messages were written to the process of a server',
  'bytes-left-http': 'a message was sent to a server over HTTP',
  'result-arrived': 'a call has its outcome, which is not committed',
  'outcome-committed': 'the outcome of a call is committed; nobody was told',
  'blob-written': 'the bytes of a blob are in place; its row is not committed',
  'parked-committed': 'a call is committed as parked',
  'input-answered': 'the answer to a server’s question is committed; its call has not gone on',
  'answer-ending': 'an answer is about to be committed as ended',
  'answer-ended': 'an answer is committed as ended; nothing has come after it',
  'journal-tick': 'the journal is about to be written',
  'journal-written': 'the journal is written; nobody was shown it',
  'before-commit': 'a transaction has done its work and is about to be committed',
  'after-commit': 'a transaction is committed; who asked for it does not know yet',
  'log-flushing': 'SQLite has committed and is about to make sure that the disk has it',
  'import-slice': 'a slice of an import is about to be written',
  'import-whole': 'an import is committed as whole; nobody sees it yet',
  'import-shown': 'some topics of an import that is whole are shown',
  'sweep-slice': 'some rows of what was deleted are gone',
  'inbox-inserted': 'a command for another host is committed; it was not rung',
  'inbox-carried-out': 'a command of another host is carried out and not marked as done',
  'lease-claimed': 'a topic is claimed and not loaded',
  'lease-renewed': 'leases are renewed in the database and not yet here',
  'take-over': 'an abandoned topic is about to be taken over',
} as const;

export type FaultPoint = keyof typeof faultPoints;

const faultActions = ['kill', 'throw', 'delay', 'full'] as const;
const delayMs = 2_000;

interface Armed {
  point: FaultPoint;
  /** Times that the point is still passed, this one included. */
  left: number;
  action: (typeof faultActions)[number];
  kill: () => void;
}

let armed: Armed | undefined;

/**
 * Arms one fault, `point:n:action`: the n-th time the point is passed the process is killed, a bug is
 * thrown, 2 s pass, or the disk is full. Throws CeriseError `bad_setting`.
 */
export function armFault(spec: string, kill: () => void): void {
  const [name = '', count = '', wanted = '', ...rest] = spec.split(':');
  const action = faultActions.find((each) => each === wanted);
  if (!isFaultPoint(name)) throw badFault(spec, `Points: ${Object.keys(faultPoints).join(', ')}.`);
  if (!/^[1-9]\d{0,8}$/.test(count) || !action || rest.length > 0)
    throw badFault(spec, `Write point:n:action; actions: ${faultActions.join(', ')}.`);
  armed = { point: name, left: Number(count), action, kill };
}

/**
 * Says that a point is passed. Nothing happens unless a fault is armed for it. Who cannot wait ignores
 * the promise of a delay; everything else happens before this returns.
 */
export function fault(point: FaultPoint): Promise<void> | undefined {
  return armed === undefined ? undefined : pass(armed, point);
}

function pass(present: Armed, point: FaultPoint): Promise<void> | undefined {
  if (present.point !== point || --present.left > 0) return undefined;
  armed = undefined;
  switch (present.action) {
    case 'kill':
      present.kill();
      return undefined;
    case 'delay':
      return new Promise((resolve) => void setTimeout(resolve, delayMs));
    case 'full':
      throw new CeriseError('disk_full', 'The disk is full (a fault on purpose).', {
        hint: 'Free some space; nothing was lost.',
      });
    case 'throw':
      throw new Error(`A fault on purpose at ${point}.`);
  }
}

function isFaultPoint(name: string): name is FaultPoint {
  return Object.hasOwn(faultPoints, name);
}

function badFault(spec: string, hint: string): CeriseError {
  return new CeriseError('bad_setting', `CERISE_FAULT=${spec} is not a fault.`, { hint });
}
