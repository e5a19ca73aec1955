import type { TreeMessage } from '#store/conversations/delete-messages.ts';

/** A message with everything that hangs below it. */
export function subtree(tree: TreeMessage[], rootId: string): TreeMessage[] {
  const ids = new Set([rootId]);
  // A message always comes after its parent.
  return tree.filter(({ id, parentId }) => {
    if (parentId !== null && ids.has(parentId)) ids.add(id);
    return ids.has(id);
  });
}

/**
 * The end of the branch to show once a message is gone: the present one if it stays, else the newest one
 * of the version beside it (the one before, or after), else the message it replied to.
 */
export function leafWithout(
  tree: TreeMessage[],
  rootId: string,
  activeLeafId: string | null,
): string | null {
  const gone = new Set(subtree(tree, rootId).map(({ id }) => id));
  if (activeLeafId === null || !gone.has(activeLeafId)) return activeLeafId;
  const root = tree.find(({ id }) => id === rootId);
  const versions = tree.filter(
    ({ parentId, role }) => parentId === root?.parentId && role === root.role,
  );
  const place = versions.findIndex(({ id }) => id === rootId);
  const beside = versions[place - 1] ?? versions[place + 1];
  if (!beside) return root?.parentId ?? null;
  return newestLeaf(tree, beside.id);
}

function newestLeaf(tree: TreeMessage[], rootId: string): string {
  return subtree(tree, rootId).at(-1)?.id ?? rootId;
}
