/** Texts of the page in English: consent. */
export const consent = {
  title: 'Connect this program?',
  calls: 'This program calls itself',
  unnamed: 'Unnamed program',
  unverified: 'Any program can use any name. Continue only if you started this connection.',
  publisher: 'Published by',
  returnsTo: 'Redirects to',
  thisComputer: '{place} (this computer)',
  user: 'Signed in as',
  server: 'Server',
  allows:
    'It can use the tools, prompts and resources of your servers. Your tool permissions apply, and anything it sends is treated as untrusted.',
  reaches: '{servers}, and servers you add later',
  allow: 'Connect',
  deny: 'Deny',
  refused: 'This program can’t be connected',
  done: 'You can close this window and return to the program.',
  home: 'Open Cerise',
};
