/** Written last, and nothing was changed after they were tried: what a new list may expect. */
export const unseenRequests = `
What did the reviewers say about my pull request? | github/list_review_comments
My PR is behind main, bring it up to date | github/update_pull_request_branch
Nobody will fix this issue, close it as not planned | github/close_issue
Who made the last commits on this branch? | github/list_commits
Start a new private repository called notes | github/create_repository
Why did the CI job fail? Get me its log | github/get_job_logs
Download the build artifact | github/get_artifact
Make a new label called urgent for our issues | github/create_label
Save this as a draft email, do not send it yet | google-workspace/gmail_create_draft
Move the meeting with Eva to Friday | google-workspace/calendar_update_event
Look for the budget file in my Drive | google-workspace/drive_search
Write these numbers into cells B2 to B10 | google-workspace/sheets_write_range
Make a presentation about our results | google-workspace/slides_create
Throw that newsletter in the trash | google-workspace/gmail_trash
Add "buy milk" to my tasks | google-workspace/create_task
Which meeting rooms are there? | google-workspace/list_meeting_rooms
Correct the typo in the message I posted | slack/chat.update
Make a private channel for the launch | slack/conversations.create
Kick Bob out of the channel | slack/conversations.kick
Share this PDF in the sales channel | slack/files.upload
Find the person with the address jane@acme.com on Slack | slack/users.lookupByEmail
Add a slash command | slack/slash_commands.add
Which EC2 instances are running? | aws/describeInstances
Make the disk of the server bigger | aws/resizeVolume
Read the value of the database password secret | aws/getSecretValue
Clear the CDN cache for the home page | aws/invalidateCache
What will we pay for the cloud next month? Forecast the cost | aws/forecastCost
Create a bucket for the backups | aws/createBucket
Delete the DynamoDB table of the old project | aws/deleteDynamoTable
Stop this customer from ordering again | shop/block-customer
Print a shipping label for order 1001 | shop/buy-shipping-label
End her subscription at the end of the month | shop/cancel-subscription
How much money is in our account? | shop/get-account-balance
What is the sales tax for this cart? | shop/calculate-tax
Show the coupons we have | shop/list-coupons
Assign PROJ-15 to Nina | atlassian/assignJiraIssue
Attach the log file to the ticket | atlassian/attachFileToIssue
Who changed this Confluence page and when? | atlassian/getPageHistory
Escalate the outage to the next on-call level | atlassian/escalateIncident
Make a new board for the mobile team | atlassian/createBoard
Copy the folder to the backup drive | desktop/copy_file
Which processes use the most memory? | desktop/list_processes
Fill in the contact form on this page | desktop/browser_fill_form
What is on my clipboard? | desktop/clipboard_read
Make this picture smaller, 800 pixels wide | desktop/resize_image
Remember that my daughter is allergic to nuts | desktop/remember
Load customers.csv into the table | observability/import_csv
Which tables are in the public schema? | observability/list_tables
Close the blinds in the bedroom | home-and-travel/openCover
Find a hotel in Lisbon for two nights | home-and-travel/searchHotels
What can I cook with eggs and spinach? | home-and-travel/findRecipe
Which song is this that is playing? | home-and-travel/whatIsPlaying
发起一个视频会议 | 办公助手/start_video_meeting
帮我提交一张差旅报销的审批 | 办公助手/submit_approval
上班打卡 | 办公助手/clock_in
坐地铁去人民广场怎么走 | 办公助手/route_transit
贵州茅台今天股价多少 | 办公助手/stock_quote
给客户开一张电子发票 | 办公助手/issue_invoice
查看一下公司有哪些部门 | 办公助手/list_department
帮我把这篇长文总结一下要点 | 办公助手/summarize_text
`;
