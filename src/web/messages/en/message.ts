/** Texts of the page in English: message. */
export const message = {
  you: 'You',
  answer: 'Answer',
  edit: 'Edit',
  resend: 'Send',
  regenerate: 'Regenerate',
  regenerateWith: 'Regenerate with another model',
  previous: 'Previous version',
  next: 'Next version',
  version: '{index} of {count}',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  queued: 'Queued: it joins at the next step',
  sending: 'Sending…',
  notSent: 'Not sent',
  discard: 'Discard',
  tokens: '{input} in · {output} out',
};
