/**
 * A topic that nobody is to see has an owner that nobody is: everything that takes an id takes the owner
 * too, in programs of before as well. One row changed hides it, or shows it, at once.
 */

/** The owner of what its owner has deleted, until its rows are swept. */
export function sweptOwner(owner: string): string {
  return `deleted/${owner}`;
}

/** The owner of what an import has brought so far, until it is whole. */
export function importedOwner(importId: string, owner: string): string {
  return `import/${importId}/${owner}`;
}

/**
 * The owner of what is deleted after a time unless it is shown before: what can be restored, and a copy that is not
 * whole. It has the form of an import, whose owner the sums know, and none that programs of before would sweep.
 */
export function recoverableOwner(until: number, owner: string): string {
  return `${hiddenOwners.recoverable.from}${String(until).padStart(untilDigits, '0')}/${owner}`;
}

/** With them the name is as long as that of an import. */
const untilDigits = 30;

/** Whose a topic is that such an owner has; undefined for any other. */
export function recoverableOf(owner: string): string | undefined {
  const { from } = hiddenOwners.recoverable;
  return owner.startsWith(from) ? owner.slice(from.length + untilDigits + 1) : undefined;
}

/** Whatever a hidden owner begins with, and the first text after all of those. */
export const hiddenOwners = {
  swept: { from: 'deleted/', before: 'deleted0' },
  imported: { from: 'import/', before: 'import0' },
  recoverable: { from: 'import/until-', before: 'import/until.' },
} as const;

/** What takes the messages that were deleted from a topic; the topic they are of is in its name. */
export function binOf(topicId: string, id: string): string {
  return `${topicId}/${id}`;
}

const binId = /^(.+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/s;

/** Whether a topic of this id would be taken for such a bin. */
export function isBinLike(topicId: string): boolean {
  return binId.test(topicId);
}

/** The topic that a search has the words of this one under. */
export function searchedAs(topicId: string): string {
  return binId.exec(topicId)?.[1] ?? topicId;
}
