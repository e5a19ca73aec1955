/** How a call and a result are written for and by models that know no tools. */
export const tags = {
  openCall: '<tool_call>',
  closeCall: '</tool_call>',
  openResult: '<tool_response',
  closeResult: '</tool_response>',
} as const;
