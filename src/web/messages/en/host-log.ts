/** Texts of the page in English: the log of the host. */
export const hostLog = {
  filter: 'Filter log',
  show: 'Show',
  shown: {
    debug: 'All levels',
    info: 'Info and above',
    warn: 'Warnings and errors',
    error: 'Errors only',
  },
  write: 'Log level',
  levels: { debug: 'Debug', info: 'Info', warn: 'Warnings', error: 'Errors' },
  usual: 'Default ({level})',
  until: 'Until {time}, then back to {level}.',
  hint: 'Applies to all instances for one hour, without a restart.',
  instance: 'Instance {host} (process {pid})',
  details: 'Show details',
  pause: 'Pause',
  follow: 'Resume',
  none: 'No log entries yet.',
  noMatch: 'No matching log entries.',
};
