/** Texts of the page in English: chat. */
export const chat = {
  greeting: 'What can I do for you?',
  suggestTime: 'What time is it in Tokyo, and what files are in the workspace?',
  suggestSum: 'What is 12*(3+4)?',
  suggestTourLabel: 'Take the tour',
  suggestMemory: 'Remember that my favourite fruit is the cherry',
  missing: 'This conversation does not exist.',
  missingText: 'It may have been deleted.',
  failed: 'The conversation could not be loaded.',
  latest: 'Jump to the latest',
  earlier: 'Loading earlier messages…',
  log: 'Conversation',
  greetingText: 'Ask anything. The tools of your MCP servers are at hand.',
  works:
    '{model} answers, with the tools of {count, plural, =0 {no server yet} one {# server} other {# servers}}.',
  worksScripted:
    'Everything works at once: a scripted demo model answers, with the real tools of {count, plural, =0 {no server yet} one {# server} other {# servers}}. No key is needed.',
  connectModel: 'Connect a model',
  showAround: 'Show me around',
  tour: 'Tour',
  tourPlace: '{index} of {count}',
  tourNext: 'Next',
  tourBack: 'Back',
  tourDone: 'Done',
  tourEnd: 'End the tour',
  tourAnswer: 'Everything an answer is made of',
  tourAnswerText:
    'The demo model calls every kind of tool. Thinking, calls, pictures, tables and sources each stand in their place; open any of them.',
  tourComposer: 'Write, attach, refer',
  tourComposerText:
    'Type / for commands and the prompts of your servers, @ for their resources. Files can be dropped anywhere or pasted. What you send while an answer runs joins it.',
  tourServers: 'Your MCP servers',
  tourServersText:
    'Choose which servers this conversation may use and see their tools. Anything with effects asks you first.',
  tourSettings: 'Your models',
  tourSettingsText:
    'Here you choose the model. Add your own under Settings: a key, or a local server that is found by itself.',
  found: '{name} is at hand',
  foundHere: 'It answers on this machine. Use one of its models instead of the scripted one?',
  foundKey:
    'There is a key for it in the environment. Use one of its models instead of the scripted one?',
  foundModel: 'Model to use',
  foundUse: 'Use by default',
  foundDismiss: 'Not now',
};
