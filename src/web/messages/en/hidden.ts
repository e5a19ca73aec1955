/** Texts of the page in English: hidden. */
export const hidden = {
  reasons: {
    direction: 'Changes the direction of the text',
    control: 'Control character',
    space: 'Spaces',
    line: 'Line breaks',
    tag: 'Invisible tag characters and what they spell',
    private: 'Private-use character with no defined meaning',
    unassigned: 'Unassigned code point',
    surrogate: 'Half of a character',
    marks: 'Stacked accents that would cover other lines',
    invisible: 'Invisible character',
  },
  lookalike: 'Some of these letters or signs only look like others',
  scripts: {
    Latin: 'Latin',
    Cyrillic: 'Cyrillic',
    Greek: 'Greek',
    Armenian: 'Armenian',
    Cherokee: 'Cherokee',
    Coptic: 'Coptic',
    Lisu: 'Lisu',
    Styled: 'styled letters',
    Sign: 'look-alike sign',
  },
  showLines:
    '{lines, plural, one {Show the remaining line} other {Show the remaining # lines}} ({characters, plural, one {# character} other {# characters}})',
  showCharacters:
    '{characters, plural, one {Show the remaining character} other {Show the remaining # characters}}',
  unseenLines:
    '{lines, plural, one {# line has not been shown yet.} other {# lines have not been shown yet.}} Show everything to continue.',
  unseenCharacters:
    '{characters, plural, one {# character has not been shown yet.} other {# characters have not been shown yet.}} Show everything to continue.',
};
