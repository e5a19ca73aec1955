/** Texts of the page in English: what a local server may reach. */
export const access = {
  title: 'Access',
  hint: 'What this server can access on Cerise’s machine. Cerise’s own data is always off limits.',
  files: 'Files',
  filesOf: {
    everything: 'All files',
    folders: 'Its own folder and the folders below',
    own: 'Only its own folder',
  },
  ownFolder: 'The server’s own folder',
  network: 'Network',
  networkAllowed: 'Allow network access',
  folder: 'Folder {n}',
  folderMode: 'Permission for folder {n}',
  read: 'Read-only',
  write: 'Read and write',
  addFolder: 'Add folder',
  removeFolder: 'Remove folder {n}',
  sentence: 'Files: {files}. Network: {network}.',
  sandbox: 'Sandbox',
  enforced: 'enforced',
  require: 'Require the sandbox',
  requireHint:
    'Local servers only start if this machine can enforce their file and network access (Linux with bubblewrap).',
};
