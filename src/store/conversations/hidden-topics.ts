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

/** Whatever a hidden owner begins with, and the first text after all of those. */
export const hiddenOwners = {
  swept: { from: 'deleted/', before: 'deleted0' },
  imported: { from: 'import/', before: 'import0' },
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
