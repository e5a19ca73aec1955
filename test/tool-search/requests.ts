/** What people ask for, and the tool that does it (`server/tool`). The search was tuned with these. */
export const requests = `
Open a pull request from my feature branch into main | github/create_pull_request
Which pull requests are still open in this repo? | github/list_pull_requests
Did all checks pass on PR 42? | github/get_pull_request_status
Ask Anna and Ben to review my pull request | github/request_reviewers
Approve this pull request | github/create_review
File a bug report about the broken login button in the repository | github/create_issue
Leave a comment on issue 17 | github/add_issue_comment
Where in our code do we use the function parseDate? | github/search_code
Show me the README of the repository | github/get_file_contents
Start the deploy workflow by hand | github/run_workflow
The build failed, run the failed jobs again | github/rerun_failed_jobs
Publish a new release with release notes | github/create_release
Remove the webhook of the repository | github/delete_webhook
Which labels do we have for sorting issues? | github/list_labels
Who may push to this repository? List the collaborators | github/list_collaborators
Are there vulnerable dependencies? Show the dependabot alerts | github/list_dependabot_alerts
Send an email to my landlord about the heating | google-workspace/gmail_send
Find the mail from the insurance company about my claim | google-workspace/gmail_search
Set up an out-of-office reply for next week | google-workspace/gmail_set_vacation_responder
Put a meeting with Tom into my calendar tomorrow at 3 | google-workspace/calendar_create_event
When are Lisa and Mark both free on Thursday? | google-workspace/calendar_find_free_time
Decline the invitation to the budget meeting | google-workspace/calendar_respond
Share the folder with our accountant | google-workspace/drive_share
Read cells A1 to D20 of the spreadsheet | google-workspace/sheets_read_range
Add a row to the expenses sheet | google-workspace/sheets_append_row
Translate this document into French | google-workspace/translate_document
Add Maria to my address book | google-workspace/create_contact
Delete the filter that sorts incoming mail from the newsletter | google-workspace/delete_mail_filter
What did people answer in the questionnaire? | google-workspace/list_form_responses
Post "deploy is done" to the releases channel in Slack | slack/chat.postMessage
What was said in the general channel today? | slack/conversations.history
Send this message to the team tomorrow at nine | slack/chat.scheduleMessage
Invite Paul to the design channel | slack/conversations.invite
React with a thumbs up to that message | slack/reactions.add
Set my status to on vacation until Monday | slack/users.setStatus
Pause my notifications for an hour | slack/dnd.setSnooze
Start a poll about where to have lunch | slack/polls.add
Which guests from outside are in our workspace? | slack/guests.list
Launch two virtual machines | aws/runInstances
Shut down the test machine but keep its disk | aws/stopInstances
Upload the report to the S3 bucket | aws/putObject
Give me a temporary link to a file in the bucket | aws/presignUrl
How much did we spend on AWS last month by service? | aws/getCostAndUsage
Run five copies of the web service | aws/scaleService
Create a firewall for my virtual machines | aws/createSecurityGroup
Create a load balancer | aws/createLoadBalancer
Warn me when CPU usage crosses 80 percent: create an alarm | aws/createAlarm
Delete the old access key | aws/deleteAccessKey
Point the DNS record of www to the new address | aws/changeDnsRecord
Give the customer his money back | shop/refund-payment
Where is the parcel with this tracking number? | shop/track-shipment
How many pieces of the blue shirt are in stock? | shop/get-inventory-level
Which products sold best this month? | shop/get-best-sellers
Create a discount code for 20 percent off | shop/create-discount-code
Cancel the order, it has not shipped yet | shop/cancel-order
Email the invoice to the customer again | shop/send-invoice
Pause his subscription for two months | shop/pause-subscription
Show the reviews buyers wrote about our products | shop/list-product-reviews
Add a new supplier | shop/create-supplier
Move ticket ABC-12 to In Progress | atlassian/transitionJiraIssue
Log two hours on PROJ-7 | atlassian/addWorklog
Finish the sprint and move the open issues to the next one | atlassian/completeSprint
How many story points did the team finish in the last sprints? | atlassian/getVelocityReport
Write a new Confluence page about onboarding | atlassian/createConfluencePage
Bring back the old version of that wiki page | atlassian/restorePageVersion
Create an epic for the new checkout | atlassian/createEpic
Add an automation rule that closes stale issues | atlassian/createAutomationRule
Read the file notes.txt | desktop/read_file
Rename report.doc to final.doc | desktop/move_file
Which files in this folder contain the word invoice? | desktop/grep
How much disk space is left? | desktop/disk_usage
Take a screenshot of the page | desktop/browser_take_screenshot
What time is it in Tokyo right now? | desktop/get_current_time
Turn this voice recording into text | desktop/transcribe_audio
Join these PDF files into one | desktop/merge_pdf
Who last changed this line of the file? | desktop/git_blame
Run this SQL query and give me the rows | observability/execute_sql
What columns does the users table have? | observability/describe_table
Why is this query slow? Show its execution plan | observability/explain_query
Mute the disk alert for two hours | observability/silence_alert
Who is on call tonight? | observability/who_is_on_call
Switch off the feature flag for the new search | observability/update_feature_flag
Turn on the living room light | home-and-travel/turnOnLight
Make it 21 degrees in the bedroom | home-and-travel/setTemperature
Will it rain in Berlin over the next days? | home-and-travel/getWeatherForecast
How do I get from the station to the museum by foot? | home-and-travel/getDirections
把这段话翻译成英文 | 办公助手/translate_text
帮我订一间明天下午的会议室 | 办公助手/book_meeting_room
明天北京天气怎么样 | 办公助手/weather_query
我还剩多少天年假 | 办公助手/get_leave_balance
我要请三天病假 | 办公助手/apply_leave
查一下这个快递到哪里了 | 办公助手/track_express
从公司开车到机场怎么走 | 办公助手/route_driving
附近有什么好吃的餐厅 | 办公助手/around_search
给张三发一条消息说我晚点到 | 办公助手/send_message
把刚才发出的消息撤回 | 办公助手/recall_message
看看王芳周五什么时候有空 | 办公助手/query_freebusy
新建一个客户 | 办公助手/create_customer
删除这个供应商 | 办公助手/delete_supplier
列出所有候选人 | 办公助手/list_candidate
`;
