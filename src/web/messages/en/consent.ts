/** Texts of the page in English: consent. */
export const consent = {
  title: 'Connect a program?',
  calls: 'This program calls itself',
  unnamed: 'Unnamed program',
  unverified: 'Anyone can use any name. Continue only if you just started connecting this program.',
  publisher: 'Published by',
  returnsTo: 'Returns to',
  thisComputer: '{place} (this computer)',
  user: 'Signed in as',
  server: 'Server',
  allows:
    'It will be able to use the tools, prompts and resources of your servers. Your tool permissions apply, and what it sends counts as untrusted.',
  reaches: '{servers}, and servers you add later',
  allow: 'Connect',
  deny: 'Deny',
  refused: 'This program can’t be connected',
  done: 'You can close this window and return to the program.',
  home: 'Open Cerise',
};
