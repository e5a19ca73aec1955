import { textOf, type Words } from '#shared/errors/sentence.ts';

/** Ends a rewriting: the vendor has no words for this schema. The message completes "left out: …". */
export class Inexpressible extends Error {
  readonly reason: Words;

  constructor(reason: Words) {
    super(textOf(reason));
    this.reason = reason;
  }
}
