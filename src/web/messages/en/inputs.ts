/** Texts of the page in English: inputs. */
export const inputs = {
  asks: {
    form: '<server></server> asks you something',
    url: '<server></server> asks you to visit a page',
    sampling: '<server></server> wants to ask a model',
  },
  send: 'Send',
  decline: 'Decline',
  cancel: 'Not now',
  cancelHint: 'The server is told that nobody answered.',
  expires: 'Without an answer it is cancelled at {time}.',
  settled: 'This question is no longer open: it was answered elsewhere, or its time is over.',
  secret:
    'This looks like a question for a password, a key or a card. Servers must not ask for these here: decline unless you are sure.',
  address: 'Address',
  open: 'Open {host}',
  notOpenable: 'This is not an address of the web. It is not opened.',
  warnings: {
    imitation: 'The name {host} holds foreign letters that may imitate another name.',
    user: 'The address begins with a name before “@”. It leads to {host}, not there.',
    plain: 'The way to this page is not encrypted.',
    number: 'The address is a number instead of a name.',
  },
  wouldSend: 'This would be sent to the model',
  roles: { system: 'System', user: 'User', assistant: 'Assistant', stop: 'Stop at' },
  tokens: '{count, plural, one {At most # token comes back.} other {At most # tokens come back.}}',
  temperature: 'Temperature {value, number}.',
  media: { image: 'Image ({type}, {size})', audio: 'Audio ({type}, {size})' },
  model: 'Model',
  allow: 'Ask the model',
  deny: 'Deny',
  inbox: 'Waiting for you',
  nothing: 'Nothing waits for you.',
  inChat: 'In the chat “{title}”',
  bell: '{count, plural, =0 {Nothing waits for you} one {# question waits for you} other {# questions wait for you}}',
  announce:
    '{count, plural, one {# question waits for you. F8 goes to it.} other {# questions wait for you. F8 goes to the next.}}',
};
