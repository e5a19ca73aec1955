/** Texts of the page in English: hidden. */
export const hidden = {
  reasons: {
    direction: 'Changes text direction',
    control: 'Control character',
    space: 'Spaces',
    line: 'Line breaks',
    tag: 'Invisible tag characters and the text they spell',
    private: 'Private-use character',
    unassigned: 'Unassigned code point',
    surrogate: 'Unpaired surrogate',
    marks: 'Stacked combining marks',
    invisible: 'Invisible character',
  },
  lookalike: 'Contains look-alike characters',
  scripts: {
    Latin: 'Latin',
    Cyrillic: 'Cyrillic',
    Greek: 'Greek',
    Armenian: 'Armenian',
    Cherokee: 'Cherokee',
    Coptic: 'Coptic',
    Lisu: 'Lisu',
    Styled: 'styled letters',
    Sign: 'look-alike symbol',
  },
  showLines:
    '{lines, plural, one {Show # more line} other {Show # more lines}} ({characters, plural, one {# character} other {# characters}})',
  showCharacters:
    '{characters, plural, one {Show # more character} other {Show # more characters}}',
  unseenLines:
    '{lines, plural, one {# line hasn’t been shown yet.} other {# lines haven’t been shown yet.}} Show everything to continue.',
  unseenCharacters:
    '{characters, plural, one {# character hasn’t been shown yet.} other {# characters haven’t been shown yet.}} Show everything to continue.',
};
