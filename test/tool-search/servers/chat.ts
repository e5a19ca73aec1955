import type { ServerSpec } from '../corpus.ts';

export const chat: ServerSpec = {
  name: 'slack',
  spelling: 'dotted',
  tools: `
postMessage_chat | Sends a message to a channel. | channel; text; blocks; thread_ts
update_chat | Edits a message that was sent before. | channel; ts; text
delete_chat | Deletes a message from a channel. | channel; ts
scheduleMessage_chat | Sends a message later, at a given time. | channel; text; post_at
postEphemeral_chat | Shows a message to one person only. | channel; user; text
getPermalink_chat | Gives the link to a message. | channel; message_ts
history_conversations | Fetches the recent messages of a channel. | channel; oldest; latest; limit
replies_conversations | Fetches all replies in a thread. | channel; ts
create_conversations | Creates a public or private channel. | name; is_private
archive_conversations | Archives a channel nobody needs any more. | channel
invite_conversations | Invites people to a channel. | channel; users
kick_conversations | Removes a person from a channel. | channel; user
rename_conversations | Gives a channel another name. | channel; name
setTopic_conversations | Sets the topic line of a channel. | channel; topic
members_conversations | Lists who is in a channel. | channel
open_conversations | Opens a direct message with one or several people. | users
add_reactions | Adds an emoji reaction to a message. | channel; timestamp; name
remove_reactions | Takes back an emoji reaction. | channel; timestamp; name
messages_search | Searches messages everywhere in the workspace. | query; sort
files_search | Searches files people have shared. | query
upload_files | Uploads a file and shares it in a channel. | channel; content; filename; title
profile_users | Shows the profile of a person: name, title, time zone, picture. | user
setPresence_users | Sets whether you appear as active or away. | presence
setStatus_users | Sets your status text and emoji, with an end. | status_text; status_emoji; expiration
lookupByEmail_users | Finds a person by email address. | email
setSnooze_dnd | Pauses notifications for a while. | num_minutes
add_pins | Pins a message to a channel. | channel; timestamp
add_bookmarks | Adds a link to the bookmarks at the top of a channel. | channel; title; link
start_huddles | Starts an audio call in a channel. | channel
summarise_threads | Sums up what was said in a long thread. | channel; ts
`,
  things: `
reminder, reminders | a note Slack gives somebody at a time
user group, user groups | people who can be mentioned together
custom emoji, custom emojis | a picture of one's own to react with
canvas, canvases | a document inside a channel
canvas section, canvas sections | a part of a canvas
list item, list items | a row of a Slack list
workflow, workflows | steps that run by themselves
workflow step, workflow steps | one action of a workflow
incoming webhook, incoming webhooks | an address other programs post messages to
app, apps | a program installed in the workspace
bot user, bot users | an account of a program
slash command, slash commands | a command typed after a slash
scheduled message, scheduled messages | a message that waits for its time
saved item, saved items | a message kept for later
channel section, channel sections | a group of channels in the sidebar
workspace, workspaces | a whole organisation's place
guest, guests | a person from outside with limited access
invitation, invitations | an offer to join the workspace
retention policy, retention policies | how long messages are kept
audit log entry, audit log entries | a record of who did what
session, sessions | a signed-in device
shared channel, shared channels | a channel with another company
message template, message templates | a text prepared for sending again
poll, polls | a question with answers to vote on
call, calls | a running audio or video call
notification preference, notification preferences | when and how somebody is notified
keyword alert, keyword alerts | a word somebody is notified about
highlight word, highlight words | a word that is shown coloured
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'Lists {s}: {is}.',
      parameters: 'cursor; limit',
    },
    {
      name: 'info_{s}',
      description: 'Shows one {}.',
      parameters: 'id',
    },
    {
      name: 'add_{s}',
      description: 'Adds a new {}, {is}.',
      parameters: 'name; options',
    },
    {
      name: 'edit_{s}',
      description: 'Edits a {}.',
      parameters: 'id; options',
    },
    {
      name: 'remove_{s}',
      description: 'Removes a {}.',
      parameters: 'id',
    },
    {
      name: 'export_{s}',
      description: 'Exports all {s} as CSV or JSON.',
      parameters: 'format',
    },
  ],
};
