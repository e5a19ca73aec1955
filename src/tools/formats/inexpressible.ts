/** Ends a rewriting: the vendor has no words for this schema. The message completes "left out: …". */
export class Inexpressible extends Error {}
