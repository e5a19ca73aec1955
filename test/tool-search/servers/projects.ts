import type { ServerSpec } from '../corpus.ts';

export const projects: ServerSpec = {
  name: 'atlassian',
  spelling: 'camel',
  tools: `
search_jira_issues_using_jql | Search Jira issues with a JQL query. | jql; fields; maxResults
get_jira_issue | Get a Jira issue by its key, with description, status and comments. | issueKey; expand
create_jira_issue | Create an issue: a story, a bug, an epic or a task. | projectKey; issueType; summary; description; assignee
edit_jira_issue | Edit the fields of an issue. | issueKey; fields
transition_jira_issue | Move an issue to another status of its workflow, such as In Progress or Done. | issueKey; transition
assign_jira_issue | Assign an issue to somebody, or to nobody. | issueKey; accountId
add_comment_to_jira_issue | Add a comment to an issue. | issueKey; body
add_worklog | Log time that was spent on an issue. | issueKey; timeSpent; started; comment
link_jira_issues | Link two issues: blocks, duplicates, relates to. | inwardIssue; outwardIssue; type
add_watcher | Let somebody follow what happens to an issue. | issueKey; accountId
vote_for_issue | Vote for an issue. | issueKey
attach_file_to_issue | Attach a file to an issue. | issueKey; filename; content
clone_issue | Make a copy of an issue with its subtasks. | issueKey; projectKey
rank_backlog | Put issues before or after another one in the backlog. | issueKeys; before; after
get_transitions | Get the statuses an issue can be moved to now. | issueKey
start_sprint | Start a sprint with its goal and end date. | sprintId; goal; endDate
complete_sprint | Complete a sprint and move what is open to the next one. | sprintId; moveTo
move_issues_to_sprint | Move issues into a sprint. | sprintId; issueKeys
get_burndown_chart | Get how much work remained on every day of a sprint. | sprintId
get_velocity_report | Get how many points the team finished in its last sprints. | boardId
create_confluence_page | Create a page in a Confluence space. | spaceId; parentId; title; body
get_confluence_page | Get the text of a Confluence page as Markdown. | pageId
update_confluence_page | Replace title or text of a Confluence page. | pageId; title; body; version
search_confluence_using_cql | Search pages, blog posts and attachments with CQL. | cql; limit
get_page_history | See who changed a page when. | pageId
restore_page_version | Bring an old version of a page back. | pageId; version
create_inline_comment | Comment on a marked passage of a page. | pageId; selection; body
export_page_to_pdf | Export a page as PDF. | pageId
answer_service_request | Reply to the customer of a service desk request. | requestId; body; internal
escalate_incident | Escalate an incident to the next level of on-call people. | incidentId
lookup_account_id | Look up the account id of a person by name or email. | searchString
`,
  things: `
project, projects | a container of issues with its own key
board, boards | a scrum or kanban view of issues
sprint, sprints | a period of some weeks with planned work
epic, epics | a large piece of work that holds stories
subtask, subtasks | a piece of an issue
component, components | a part of the product that issues belong to
fix version, fix versions | the release an issue is shipped with
custom field, custom fields | a field a company added to issues
issue type, issue types | a kind of issue such as bug or story
issue priority, issue priorities | how urgent an issue is
issue link type, issue link types | a kind of relation between issues
saved filter, saved filters | a search with a name
dashboard gadget, dashboard gadgets | a box on a dashboard
automation rule, automation rules | what happens by itself when an issue changes
workflow scheme, workflow schemes | which statuses which kinds of issues have
permission scheme, permission schemes | who may do what in a project
notification scheme, notification schemes | who is told when something happens
screen, screens | which fields are shown on a form
service desk queue, service desk queues | requests an agent should work on
request type, request types | what customers can ask for in the portal
sla policy, sla policies | how soon a request must be answered
customer organisation, customer organisations | a company whose people send requests
on-call schedule, on-call schedules | who is called at which time
incident, incidents | something that is broken for customers now
postmortem, postmortems | a report on why something broke
space, spaces | a group of pages in Confluence
page template, page templates | what a new page starts from
page label, page labels | a word that sorts pages
page restriction, page restrictions | who may see or edit a page
whiteboard, whiteboards | a canvas to draw on together
asset object, asset objects | a device or licence in the inventory
roadmap item, roadmap items | a plan with start and end
goal, goals | an outcome a team wants to reach
`,
  actions: [
    {
      name: 'get_{s}',
      description: 'Get all {s} the user can see.',
      parameters: 'cloudId; startAt; maxResults',
    },
    {
      name: 'get_{}_details',
      description: 'Get the details of a {}: {is}.',
      parameters: 'cloudId; id: id of the {}',
    },
    {
      name: 'create_{}',
      description: 'Create a {} ({is}).',
      parameters: 'cloudId; name; description',
    },
    {
      name: 'edit_{}',
      description: 'Edit a {}.',
      parameters: 'cloudId; id: id of the {}; fields',
    },
    {
      name: 'delete_{}',
      description: 'Delete a {}.',
      parameters: 'cloudId; id: id of the {}',
    },
  ],
};
