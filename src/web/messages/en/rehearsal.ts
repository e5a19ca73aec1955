/** Texts of the page in English: rehearsal. */
export const rehearsal = {
  open: 'Rehearse',
  title: 'Rehearse {name}',
  text: 'Starts a separate instance of the server, repeats recorded read-only calls and compares the results. This doesn’t approve the server.',
  calls: 'Calls to repeat',
  noCalls: 'There are no recorded read-only calls. Only the lists of tools are compared.',
  start: 'Start',
  running: 'Running…',
  sameTools: 'The tools haven’t changed.',
  added: 'New tools',
  removed: 'Removed tools',
  changed: 'Changed tools',
  same: '{count, plural, one {# call has the same result.} other {# calls have the same result.}}',
  outcomes: {
    different: 'Different',
    failed: 'Failed',
  },
  recorded: 'Recorded',
  now: 'Now',
};
