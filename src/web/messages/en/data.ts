/** Texts of the page in English: everything of a person at once. */
export const data = {
  conversations: 'Chats',
  messages: 'Messages',
  files: 'Files',
  noneYet: 'None',
  room: '{used} of {allowed} used: {text} by chats and tool calls, {files} by files',
  export: 'Export',
  exportText:
    'Download your chats, files, assistants, servers and tool calls as one file. Passwords and keys aren’t included.',
  exportAction: 'Export all data',
  import: 'Import',
  importText:
    'Import a file exported from this or another Cerise. You can review it first. Existing data isn’t changed.',
  importAction: 'Choose file…',
  reading: 'Reading {name}…',
  wouldImport: '{name} contains',
  imported: 'Imported',
  counts:
    '{topics, plural, one {# chat} other {# chats}} ({messages, plural, one {# message} other {# messages}}, {files, plural, one {# file} other {# files}}), {assistants, plural, one {# assistant} other {# assistants}}, {servers, plural, one {# server} other {# servers}}',
  skipped:
    '{skippedTopics, plural, one {Skipped: # chat that already exists.} other {Skipped: # chats that already exist.}}',
  drafts: 'Imported servers are disabled or need your approval. Their keys aren’t included.',
  leftOut: 'Not imported: {name}. {reason}',
  copies: 'Import existing chats as copies',
  importNow: 'Import',
  notNow: 'Cancel',
  backup: 'Host backup',
  backupText: 'To back up all users and their data, an admin can run this command on the host:',
  records: 'Replay',
  recordsText: 'Recorded answers can be replayed offline with “cerise replay”.',
  recordAnswers: 'Record answers',
  recordAnswersHint:
    'Stores the requests to models and their responses, encrypted, for a limited time.',
  calls: 'Tool calls outside chats',
  callsText:
    'Calls you ran again from a chat, tried on the Servers page or made through the API. They’re deleted after 30 days unless an admin sets another period.',
  noCalls: 'No calls yet.',
  moreCalls: 'Show more',
  deleteCall: 'Delete call',
  deleteCalls: 'Delete all calls',
  deleteCallsTitle: 'Delete all calls?',
  deleteCallsText:
    'Finished calls outside chats will be permanently deleted, with their arguments and results. This doesn’t undo their effects.',
  delete: 'Delete all chats',
  deleteText: 'Your assistants, servers and settings aren’t affected.',
  deleteAction: 'Delete all chats',
  deleteTitle: 'Delete all chats?',
  deleteWarning:
    '{topics, plural, one {# chat} other {# chats}} will be permanently deleted, with all messages and files. Running answers will be stopped.',
  deleteConfirm: 'Type “{word}” to confirm',
  deleteWord: 'delete',
};
