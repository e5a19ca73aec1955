import type { ServerSpec } from '../corpus.ts';

export const codeHosting: ServerSpec = {
  name: 'github',
  spelling: 'snake',
  tools: `
create_pull_request | Open a new pull request from one branch into another. | owner; repo; title; head: branch with the changes; base: branch to merge into; draft
list_pull_requests | List pull requests of a repository, filtered by state, author or base branch. | owner; repo; state: open, closed or all; sort
merge_pull_request | Merge a pull request, by merge commit, squash or rebase. | owner; repo; pull_number; merge_method
get_pull_request_diff | Get the diff of a pull request. | owner; repo; pull_number
get_pull_request_status | Get the combined result of all checks that ran on a pull request. | owner; repo; pull_number
request_reviewers | Ask people to review a pull request. | owner; repo; pull_number; reviewers: logins
create_review | Submit a review on a pull request: approve, request changes or comment. | owner; repo; pull_number; event; body
list_review_comments | List the comments reviewers left on lines of a pull request. | owner; repo; pull_number
update_pull_request_branch | Bring a pull request's branch up to date with its base branch. | owner; repo; pull_number
create_issue | Create a new issue in a repository. | owner; repo; title; body; labels; assignees
list_issues | List the issues of a repository. | owner; repo; state; labels; since
add_issue_comment | Add a comment to an existing issue. | owner; repo; issue_number; body
close_issue | Close an issue, as completed or as not planned. | owner; repo; issue_number; reason
assign_issue | Assign people to an issue. | owner; repo; issue_number; assignees
search_code | Search for code across all repositories. | query; sort; per_page
search_issues | Search for issues and pull requests with a query. | query
search_repositories | Search for repositories by name, language or topic. | query
get_file_contents | Get the contents of a file or folder of a repository. | owner; repo; path; ref: branch, tag or commit
create_or_update_file | Write one file of a repository in a new commit. | owner; repo; path; content; message; branch; sha
push_files | Push several files in a single commit. | owner; repo; branch; files; message
create_branch | Create a new branch from another one. | owner; repo; branch; from_branch
list_commits | List the commits of a branch, newest first. | owner; repo; sha; author
get_commit | Get a commit with its changed files. | owner; repo; sha
compare_commits | Compare two branches, tags or commits. | owner; repo; base; head
fork_repository | Fork a repository into your account or an organisation. | owner; repo; organization
create_repository | Create a new repository. | name; description; private; autoInit
run_workflow | Start a workflow by hand. | owner; repo; workflow_id; ref; inputs
rerun_failed_jobs | Run the failed jobs of a workflow run again. | owner; repo; run_id
cancel_workflow_run | Cancel a workflow run that is in progress. | owner; repo; run_id
get_job_logs | Download the log of one job of a workflow run. | owner; repo; job_id; tail_lines
star_repository | Star a repository. | owner; repo
dismiss_notification | Mark a notification as read or done. | thread_id
`,
  things: `
release, releases | a published version with notes and downloadable files
tag, tags | a name that stays on one commit
label, labels | a coloured word that sorts issues
milestone, milestones | a goal with a due date that groups issues
gist, gists | a small snippet that is shared on its own
webhook, webhooks | a URL that is called when something happens in the repository
deploy key, deploy keys | an SSH key that gives a machine access to one repository
secret, secrets | an encrypted value that workflows can use
variable, variables | a plain value that workflows can use
environment, environments | a place workflows deploy to, with its own rules
deployment, deployments | one roll-out of a commit to an environment
branch protection rule, branch protection rules | what must pass before somebody may push to a branch
ruleset, rulesets | a set of push and merge rules for many branches
collaborator, collaborators | a person who may push to the repository
team, teams | a group of people of an organisation
discussion, discussions | a forum thread of a repository
project board, project boards | a board with columns of issues
artifact, artifacts | a file that a workflow run produced
runner, runners | a machine that executes workflow jobs
package, packages | a published library or container image
security advisory, security advisories | a described vulnerability of the code
dependabot alert, dependabot alerts | a warning about a vulnerable dependency
code scanning alert, code scanning alerts | a weakness that static analysis found
secret scanning alert, secret scanning alerts | a credential that was committed by mistake
wiki page, wiki pages | a page of the repository's wiki
codespace, codespaces | a development machine in the cloud
issue template, issue templates | the form a new issue starts from
commit status, commit statuses | the result an outside service gave a commit
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'List the {s} of a repository. A {} is {is}.',
      parameters: 'owner; repo; page; per_page',
    },
    {
      name: 'get_{}',
      description: 'Get one {} with all its details.',
      parameters: 'owner; repo; id: the {}',
    },
    {
      name: 'create_{}',
      description: 'Create a {}: {is}.',
      parameters: 'owner; repo; name; settings',
    },
    {
      name: 'update_{}',
      description: 'Change an existing {}.',
      parameters: 'owner; repo; id: the {} to change; changes',
    },
    {
      name: 'delete_{}',
      description: 'Delete a {} of a repository. This cannot be undone.',
      parameters: 'owner; repo; id: the {} to delete',
    },
    {
      name: 'search_{s}',
      description: 'Find {s} by their text across an organisation.',
      parameters: 'org; query',
    },
  ],
};
