/** The `data` of the protocol error that stands in for an answer over the size limit. */
export const oversized = 'cerise:message-too-large';
