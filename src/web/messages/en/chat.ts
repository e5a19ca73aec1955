/** Texts of the page in English: chat. */
export const chat = {
  greeting: 'How can I help?',
  suggestTime: 'What time is it in Tokyo, and what files are in the workspace?',
  suggestSum: 'What is 12*(3+4)?',
  suggestTourLabel: 'Take the tour again',
  suggestMemory: 'Remember that my favourite fruit is the cherry',
  missing: 'Chat not found',
  suggestCode: 'Show me some code',
  suggestDraw: 'Draw a cherry tree',
  suggestForm: 'Ask me with a form',
  suggestSampling: 'Let a server ask the model',
  suggestFiles: 'Summarise the files in the workspace',
  suggestPage: 'Summarise https://modelcontextprotocol.io',
  suggestExplain: 'Explain how a hash map works',
  suggestDraft: 'Draft an email that asks for a deadline extension',
  suggestServer: 'What can you do with {server}?',
  suggestAssistant: 'What can you help me with?',
  missingText: 'It may have been deleted.',
  failed: 'Couldn’t load this chat.',
  latest: 'Jump to latest',
  earlier: 'Loading earlier messages…',
  log: 'Chat',
  greetingText: 'Ask anything, with tools from your MCP servers.',
  works:
    '{count, plural, =0 {{model} is ready. Add a server to give it tools.} one {{model} is ready, with tools from # server.} other {{model} is ready, with tools from # servers.}}',
  worksAs:
    '{count, plural, =0 {{assistant} is ready, using {model}. Add a server to give it tools.} one {{assistant} is ready, using {model} with tools from # server.} other {{assistant} is ready, using {model} with tools from # servers.}}',
  worksScripted:
    '{count, plural, =0 {Ready to try: a scripted demo model.} one {Ready to try: a scripted demo model with real tools from # server.} other {Ready to try: a scripted demo model with real tools from # servers.}} No API key needed.',
  showAround: 'Take a quick tour',
  tour: 'Quick tour',
  tourPlace: '{index} of {count}',
  tourNext: 'Next',
  tourBack: 'Back',
  tourDone: 'Done',
  tourEnd: 'End tour',
  tourAnswer: 'Inside an answer',
  tourAnswerText:
    'The demo model uses every kind of tool. Expand its thinking, tool calls, images, tables and sources to see the details.',
  tourComposer: 'Messages, files and commands',
  tourComposerText:
    'Type / for commands and server prompts, or @ for resources. Paste files or drop them anywhere. You can keep sending messages while an answer is running.',
  tourServers: 'Your MCP servers',
  tourServersText:
    'Choose which servers this chat can use and see their tools. Tools that make changes ask you first.',
  tourSettings: 'Your models',
  tourSettingsText:
    'Choose a model here. Add your own in Settings with an API key. Local model servers are detected automatically.',
  found: '{name} is available',
  foundHere: 'It’s running on this machine. Use one of its models instead of the demo model?',
  tourAddModel: 'Add a model',
  tourAddServer: 'Add a server',
  foundKey:
    'Its API key is set in the environment. Use one of its models instead of the demo model?',
  foundModel: 'Model to use',
  foundUse: 'Set as default',
  foundDismiss: 'Not now',
};
