/** Texts of the page in English: servers from other hosts and for them. */
export const serverImport = {
  text: 'JSON, an install link or an address',
  textHint:
    'Settings of Claude, VS Code, Cursor, Cherry Studio and others, whole or in part; comments are fine. A file can be dropped anywhere on this page.',
  file: 'Choose a file',
  found: '{count, plural, one {# server is in this text:} other {# servers are in this text:}}',
  needsAnswers: 'What it would be depends on your answers below.',
  exists: 'This server is there already.',
  added: 'Added.',
  noAutoApprove: 'It wants tools to run without asking. That is not taken over.',
  questions: 'What is left open',
  inClear: 'Stored and shown as it is.',
  sealed: 'Stored encrypted and never shown again.',
  nothingRuns:
    'Nothing runs yet: commands wait for your approval, addresses are added switched off.',
  add: '{count, plural, =0 {Add} one {Add # server} other {Add # servers}}',
  addedMany: '{count} servers were added. None of them runs before you let it.',
  export: 'Export',
  withoutSecrets: 'Without secrets, as settings of',
  formats: { cerise: 'Cerise', claude: 'Claude', vscode: 'VS Code' },
};
