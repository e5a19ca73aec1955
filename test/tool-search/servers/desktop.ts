import type { ServerSpec } from '../corpus.ts';

export const desktop: ServerSpec = {
  name: 'desktop',
  spelling: 'snake',
  tools: `
read_file | Read the complete contents of a file as text. | path; head; tail
read_multiple_files | Read several files at once. | paths
write_file | Create a file or overwrite it with new content. | path; content
edit_file | Make line-based edits to a text file and return a diff. | path; edits; dryRun
append_file | Add text at the end of a file. | path; content
list_directory | List the files and folders in a directory. | path
directory_tree | Show a folder and everything below it as a tree. | path; excludePatterns
move_file | Move or rename a file or folder. | source; destination
copy_file | Copy a file or folder. | source; destination
delete_file | Delete a file or an empty folder. | path
search_files | Search for files whose names match a pattern, in all subfolders. | path; pattern
grep | Search the contents of files for a regular expression. | path; regex; ignoreCase
get_file_info | Get size, times, type and permissions of a file. | path
zip_files | Pack files into a zip archive. | paths; destination
unzip | Unpack an archive. | path; destination
disk_usage | Show how much space is used and free. | path
run_command | Run a shell command and return its output. | command; cwd; timeout
list_processes | List running processes with CPU and memory. | sort
kill_process | End a process. | pid; signal
git_status | Show which files changed in the working tree. | repo_path
git_commit | Record the staged changes with a message. | repo_path; message
git_diff_unstaged | Show changes that are not staged yet. | repo_path
git_log | Show the commit history. | repo_path; max_count
git_checkout | Switch to another branch. | repo_path; branch
git_blame | Show who last changed each line of a file. | repo_path; path
browser_navigate | Open a URL in the browser. | url
browser_click | Click on an element of the page. | element; ref
browser_type | Type text into a field of the page. | ref; text; submit
browser_take_screenshot | Take a screenshot of the current page or of an element. | fullPage; element
browser_snapshot | Capture the accessibility tree of the current page. |
browser_fill_form | Fill in several fields of a form. | fields
browser_go_back | Go back to the previous page. |
browser_console_messages | Return everything the page wrote to the console. | level
browser_network_requests | Return the network requests since the page was loaded. | filter
browser_pdf_save | Save the page as PDF. | filename
browser_evaluate | Evaluate JavaScript in the page. | function
fetch | Fetch a web page and return it as Markdown. | url; max_length
clipboard_read | Read what is on the clipboard. |
clipboard_write | Put text on the clipboard. | text
notify | Show a desktop notification. | title; body
get_current_time | Tell the current time in a time zone. | timezone
convert_time | Convert a time from one time zone to another. | time; source_timezone; target_timezone
calculate | Work out an arithmetic expression. | expression
extract_text_from_image | Recognise the text in a picture. | path; language
resize_image | Change the size of an image. | path; width; height
convert_image_format | Convert an image between PNG, JPEG, WebP and AVIF. | path; format
transcribe_audio | Turn speech in an audio file into text. | path; language
merge_pdf | Join several PDF files into one. | paths; destination
remember | Store a fact about the user for later conversations. | subject; fact
recall | Look up facts that were stored earlier. | query
`,
  things: `
window, windows | an open window on the screen
display, displays | a monitor
browser tab, browser tabs | an open page of the browser
browser cookie, browser cookies | a value a site stored in the browser
browser profile, browser profiles | settings and sign-ins of the browser
bookmark, bookmarks | a saved address of a page
download, downloads | a file that is being or was downloaded
printer, printers | a device that prints
print job, print jobs | a document that waits to be printed
audio device, audio devices | a speaker or microphone
wifi network, wifi networks | a wireless network in reach
bluetooth device, bluetooth devices | a device paired without a cable
vpn connection, vpn connections | a tunnel to another network
firewall rule, firewall rules | what traffic is let through
usb drive, usb drives | a storage device that was plugged in
scheduled job, scheduled jobs | a command that runs at set times
system service, system services | a program that runs in the background
environment variable, environment variables | a named value programs can read
installed program, installed programs | a program on this computer
font, fonts | a typeface
wallpaper, wallpapers | the picture behind the windows
keyboard shortcut, keyboard shortcuts | keys that start an action
ssh host, ssh hosts | a remote machine one can log in to
docker image, docker images | what containers start from
docker container, docker containers | a running isolated program
git remote, git remotes | another copy of a repository
git stash, git stashes | changes put aside
git worktree, git worktrees | a second checkout of a repository
code snippet, code snippets | a piece of code kept for later
python environment, python environments | an interpreter with its packages
`,
  actions: [
    {
      name: 'list_{s}',
      description: 'List the {s} of this computer.',
      parameters: 'filter',
    },
    {
      name: '{}_info',
      description: 'Show details of a {}: {is}.',
      parameters: 'id',
    },
    {
      name: 'add_{}',
      description: 'Add or open a {} ({is}).',
      parameters: 'name; options',
    },
    {
      name: 'configure_{}',
      description: 'Change settings of a {}.',
      parameters: 'id; settings',
    },
    {
      name: 'remove_{}',
      description: 'Remove or close a {}.',
      parameters: 'id',
    },
  ],
};
