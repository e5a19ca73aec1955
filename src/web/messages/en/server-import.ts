/** Texts of the page in English: servers from other hosts and for them. */
export const serverImport = {
  text: 'JSON, command, install link or URL',
  textHint:
    'Paste settings from Claude, VS Code, Cursor, Cherry Studio and others, complete or in part, or a “claude mcp add” command. You can also drop a file anywhere on this page.',
  file: 'Choose file',
  found: '{count, plural, one {Found # server:} other {Found # servers:}}',
  needsAnswers: 'Fill in the values below to see this server’s settings.',
  exists: 'This server already exists.',
  twin: 'Already added as “{name}”. Adding it again makes a second server.',
  added: 'Added.',
  leftOut: 'Not imported: {names}',
  noAutoApprove: 'Its request to run tools without approval is ignored.',
  optional: '{label} (optional)',
  questions: 'Values to fill in',
  inClear: 'Stored and shown as plain text.',
  sealed: 'Stored encrypted and never shown again.',
  nothingRuns: 'Nothing runs yet. Commands need your approval, and remote servers start disabled.',
  limited: 'Its access is limited. You can change this in its settings.',
  add: '{count, plural, =0 {Add} one {Add # server} other {Add # servers}}',
  export: 'Export',
  withoutSecrets: 'Format (without secrets)',
  formats: { cerise: 'Cerise', claude: 'Claude', vscode: 'VS Code' },
};
