/** Texts of the page in English: policy. */
export const policy = {
  ofTool: 'tool {name}',
  ofServer: 'server {name}',
  readOnly: 'read-only',
  destructive: 'destructive',
  idempotent: 'repeatable without effect',
  openWorld: 'reaches beyond this machine',
  trusted: 'of a trusted server',
  not: {
    readOnly: 'not read-only',
    destructive: 'not destructive',
    idempotent: 'not repeatable without effect',
    openWorld: 'stays on this machine',
    trusted: 'of a server that is not trusted',
  },
  allArguments: 'the arguments',
  isHost: 'every address in {where} is on {value}',
  isEqual: '{where} is {value}',
  hasPrefix: '{where} begins with {value}',
  fitsGlob: '{where} fits {value}',
  sameArguments: 'with exactly the same arguments',
  inTopic: 'in the chat “{name}”',
};
