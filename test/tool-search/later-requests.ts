/** Written after the search was tuned with the first list; what they showed led to more general synonyms. */
export const laterRequests = `
Merge pull request 88 by squashing it | github/merge_pull_request
Show what changed between the release branch and main | github/compare_commits
Make a fork of this repository | github/fork_repository
Stop the workflow run that is in progress | github/cancel_workflow_run
I need a new branch off develop | github/create_branch
Get rid of the milestone for version 2 | github/delete_milestone
Store an encrypted API key for the workflows | github/create_secret
Did somebody commit a credential by mistake? | github/list_secret_scanning_alerts
Forward this email to my boss | google-workspace/gmail_forward
What's on my calendar this week? | google-workspace/calendar_list_events
Upload the photo to my Drive | google-workspace/drive_upload
Replace the word draft everywhere in the document | google-workspace/docs_replace_text
Insert a chart from these cells | google-workspace/sheets_add_chart
Change my email signature | google-workspace/update_signature
Which earlier versions of the file are there? | google-workspace/list_file_revisions
Give me a link for a video call | google-workspace/meet_create_space
Delete the message I sent to the channel | slack/chat.delete
Show me all replies in that thread | slack/conversations.replies
Who is in the marketing channel? | slack/conversations.members
Sum up this long thread for me | slack/threads.summarise
Pin this message | slack/pins.add
How long are our messages kept? Show the retention policies | slack/retention_policies.list
Restart the virtual machine | aws/rebootInstances
Call the lambda function with this payload | aws/invokeFunction
Follow the logs of the payment service | aws/tailLogs
Make a backup of the disk volume | aws/createSnapshot
Get a TLS certificate for our domain | aws/requestCertificate
Which buckets do we have? | aws/describeBuckets
Set up a budget so that we do not overspend | aws/createBudget
What are our sales for last week? | shop/get-sales-report
Lower the price of the mug to 9 euros | shop/set-product-price
Is this postal address correct? | shop/validate-address
The buyer wants to send it back, create a return request | shop/create-return-request
Issue a gift card | shop/create-gift-card
Who left their cart without buying? | shop/get-abandoned-carts
Find all Jira issues assigned to me | atlassian/searchJiraIssuesUsingJql
These two tickets are duplicates, link them | atlassian/linkJiraIssues
Save this Confluence page as PDF | atlassian/exportPageToPdf
Show the burndown of the current sprint | atlassian/getBurndownChart
Create a subtask for writing the tests | atlassian/createSubtask
List everything in my downloads folder | desktop/list_directory
Unpack archive.zip | desktop/unzip
Open example.com in the browser | desktop/browser_navigate
Commit my changes with the message "fix typo" | desktop/git_commit
What is 17 percent of 2350? | desktop/calculate
What text is in this picture? | desktop/extract_text_from_image
Which queries take the most time in the database? | observability/list_slow_queries
Show me the stack trace of that error | observability/get_error_details
Add a database index on the email column | observability/create_index
Lock the front door | home-and-travel/lockDoor
Play some jazz in the kitchen | home-and-travel/playMusic
Is flight LH400 on time? | home-and-travel/getFlightStatus
How much is 100 dollars in yen? | home-and-travel/convertCurrency
Wake me up at seven | home-and-travel/addAlarmClock
查一下上海到杭州的高铁票 | 办公助手/search_train_tickets
帮我叫一辆车去火车站 | 办公助手/call_taxi
把这张图片里的文字提取出来 | 办公助手/ocr_image
这个月的工资单给我看看 | 办公助手/get_payslip
拉一个项目群，把小李和小王加进来 | 办公助手/create_chat
修改合同内容 | 办公助手/update_contract
`;
