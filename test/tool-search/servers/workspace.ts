import type { ServerSpec } from '../corpus.ts';

export const workspace: ServerSpec = {
  name: 'google-workspace',
  spelling: 'snake',
  tools: `
gmail_send | Sends an email to one or more recipients. | to; cc; bcc; subject; body; attachments
gmail_search | Searches the mailbox with Gmail's query syntax and returns matching messages. | query; max_results
gmail_read_message | Reads one email: headers, text and attachment names. | message_id
gmail_create_draft | Saves an email as a draft without sending it. | to; subject; body
gmail_reply | Replies within an existing thread. | thread_id; body; reply_all
gmail_forward | Forwards an email to somebody else. | message_id; to
gmail_trash | Moves an email to the trash. | message_id
gmail_mark_as_read | Marks emails as read or unread. | message_ids; read
gmail_get_attachment | Downloads an attachment of an email. | message_id; attachment_id
gmail_set_vacation_responder | Turns the out-of-office reply on or off and sets its text. | enabled; subject; body; start; end
calendar_create_event | Creates an event in a calendar and invites the attendees. | summary; start; end; attendees; location; recurrence
calendar_list_events | Lists the events of a calendar in a range of time. | calendar_id; time_min; time_max
calendar_update_event | Moves or changes an existing event. | event_id; start; end; summary
calendar_delete_event | Deletes an event and tells the attendees. | event_id
calendar_find_free_time | Finds slots in which all the given people are free. | attendees; duration; time_min; time_max
calendar_respond | Accepts, declines or tentatively accepts an invitation. | event_id; response
drive_search | Searches for files in Drive by name, type or content. | query; page_size
drive_download | Downloads a file from Drive, Google formats exported as PDF or Office. | file_id; format
drive_upload | Uploads a file to a folder in Drive. | name; content; folder_id
drive_share | Shares a file or folder with people or by link. | file_id; emails; role: reader, commenter or writer
drive_create_folder | Creates a folder in Drive. | name; parent_id
drive_move | Moves a file to another folder. | file_id; folder_id
docs_create | Creates a new Google Doc from text or Markdown. | title; content
docs_append_text | Appends text to the end of a document. | document_id; text
docs_replace_text | Replaces every occurrence of a text in a document. | document_id; find; replace
sheets_read_range | Reads the values of a range of cells. | spreadsheet_id; range: A1 notation
sheets_write_range | Writes values to a range of cells. | spreadsheet_id; range; values
sheets_append_row | Adds a row below the last one of a sheet. | spreadsheet_id; sheet; values
sheets_add_chart | Inserts a chart drawn from a range of cells. | spreadsheet_id; range; chart_type
slides_create | Creates a presentation. | title; slides
translate_document | Translates a document into another language and keeps its layout. | document_id; target_language
meet_create_space | Makes a video call room and returns its link. | access_type
`,
  things: `
contact, contacts | a person in the address book
contact group, contact groups | people who are written to together
mail label, mail labels | a name that sorts emails
mail filter, mail filters | a rule that sorts incoming emails by itself
signature, signatures | the text below every email
delegate, delegates | somebody who may read and answer the mail of another
forwarding address, forwarding addresses | where incoming mail is passed on to
send-as alias, send-as aliases | another address one may write from
calendar, calendars | a list of events with an owner
reminder, reminders | a note that comes up at a time
working location, working locations | where somebody works on a day
meeting room, meeting rooms | a room that can be booked
shared drive, shared drives | a drive that belongs to a team
file revision, file revisions | an earlier version of a file
file comment, file comments | a remark on a place in a file
file permission, file permissions | who may open a file
shortcut, shortcuts | a pointer to a file in another folder
form, forms | a questionnaire
form response, form responses | what somebody answered in a questionnaire
task list, task lists | a named list of things to do
task, tasks | a thing to do, with a due date
note, notes | a short text or checklist in Keep
presentation slide, presentation slides | one page of a presentation
named range, named ranges | a range of cells with a name
pivot table, pivot tables | a summary of rows by groups
protected range, protected ranges | cells that only some may change
chat space, chat spaces | a room of Google Chat
user alias, user aliases | a second address of an account
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'Returns the {s} of the signed-in user, page by page.',
      parameters: 'page_token; page_size',
    },
    {
      name: 'get_{}',
      description: 'Returns a single {} ({is}).',
      parameters: 'id: id of the {}; fields',
    },
    {
      name: 'create_{}',
      description: 'Adds a {}, which is {is}.',
      parameters: 'name; properties',
    },
    {
      name: 'update_{}',
      description: 'Updates properties of a {}.',
      parameters: 'id: id of the {}; properties',
    },
    {
      name: 'delete_{}',
      description: 'Permanently removes a {}.',
      parameters: 'id: id of the {}',
    },
    {
      name: 'copy_{}',
      description: 'Makes a copy of a {} for the same or another user.',
      parameters: 'id: id of the {}; target_user',
    },
  ],
};
