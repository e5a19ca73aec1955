/** Texts of the page in English: find. */
export const find = {
  label: 'Find in this chat',
  placeholder: 'Find in chat',
  older: 'Previous match',
  newer: 'Next match',
  none: 'No matches',
  count: '{index} of {count}',
  countMore: '{index} of {count}+',
  loading: 'Searching…',
};
