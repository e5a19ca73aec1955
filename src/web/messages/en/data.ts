/** Texts of the page in English: everything of a person at once. */
export const data = {
  conversations: 'Conversations',
  messages: 'Messages',
  files: 'Files',
  room: '{used} of {allowed} used',
  export: 'Export',
  exportText:
    'One file with your conversations, their files, your assistants, your servers and your tool calls. Passwords and keys are not in it.',
  exportAction: 'Export everything',
  import: 'Import',
  importText:
    'Brings in a file that was exported here or on another Cerise. You see what is in it first; nothing that is here is changed.',
  importAction: 'Choose a file…',
  reading: 'Reading {name}…',
  wouldImport: 'In {name}',
  imported: 'Imported',
  counts:
    '{topics, plural, one {# conversation} other {# conversations}} ({messages, plural, one {# message} other {# messages}}, {files, plural, one {# file} other {# files}}), {assistants, plural, one {# assistant} other {# assistants}}, {servers, plural, one {# server} other {# servers}}',
  skipped:
    '{skippedTopics, plural, one {# conversation is} other {# conversations are}} here already and left alone.',
  drafts: 'Servers come in switched off or waiting for your approval, without their keys.',
  leftOut: 'Left out: {name}. {reason}',
  copies: 'Also bring in conversations that are here already, as copies',
  importNow: 'Import',
  notNow: 'Not now',
  backup: 'Backup of the whole host',
  backupText: 'For everyone and everything on this host, an admin runs this command beside it:',
  calls: 'Tool calls outside of conversations',
  callsText:
    'Calls you made again from a conversation, tried on the page of a server, or made through the API. They are deleted after 30 days, unless an admin chose another time.',
  noCalls: 'There are none.',
  moreCalls: 'Show more',
  deleteCall: 'Delete this call',
  deleteCalls: 'Delete all calls',
  deleteCallsTitle: 'Delete all calls?',
  deleteCallsText:
    'Calls outside of conversations that have ended will be gone with their arguments and results. What they did stays done.',
  delete: 'Delete all conversations',
  deleteText: 'Assistants, servers and settings stay.',
  deleteAction: 'Delete all conversations',
  deleteTitle: 'Delete all conversations?',
  deleteWarning:
    '{topics, plural, one {# conversation} other {# conversations}} with all messages and files will be gone for good. What still runs is stopped.',
  deleteConfirm: 'Type “{word}” to go on',
  deleteWord: 'delete',
};
