/** Texts of the page in English: servers to install. */
export const discover = {
  title: 'Discover',
  installed: 'Your servers',
  sections: 'Sections',
  search: 'Search servers to install',
  noKey: 'Works without a key',
  found: '{count, plural, =0 {No results.} one {# result} other {# results}}',
  way: 'How to run it',
  install: 'Install…',
  deprecated: 'deprecated',
  neverFetched: 'not fetched yet',
  copied: '{count, plural, one {# server} other {# servers}}, fetched',
  check: 'Refresh',
  checking: 'Refreshing…',
};
