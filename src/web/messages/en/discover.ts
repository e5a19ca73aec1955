/** Texts of the page in English: servers to install. */
export const discover = {
  title: 'Discover',
  installed: 'Your servers',
  sections: 'Sections',
  search: 'Search servers to install',
  noKey: 'Works without a key',
  found: '{count, plural, =0 {No results.} one {# result} other {# results}}',
  needsKey: 'needs a key',
  way: 'How to run it',
  install: 'Install…',
  kinds: {
    npm: 'npm',
    pypi: 'PyPI',
    container: 'container',
    nuget: 'NuGet',
    bundle: 'bundle',
    remote: 'remote',
    other: 'other',
  },
};
