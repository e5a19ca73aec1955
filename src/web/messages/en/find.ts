/** Texts of the page in English: find. */
export const find = {
  label: 'Find in this conversation',
  placeholder: 'Find in conversation',
  older: 'Earlier match',
  newer: 'Later match',
  none: 'No matches',
  count: '{index} of {count}',
  countMore: '{index} of {count}+',
  loading: 'Looking…',
};
