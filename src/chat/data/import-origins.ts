import type { ExportedBlock } from '#shared/api/export-file.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import { newOrigin, type Origin } from '#shared/vocabulary/origin.ts';

/**
 * A block of an imported file: anybody may have written it. What tools are said to have answered is
 * untrusted, whatever the file says of it, and so are summaries; nothing becomes trusted by an import.
 */
export function asImported(block: ExportedBlock, topicId: string): ExportedBlock {
  const { type, startedAt: at } = block;
  const origin = { from: 'import' as const, topicId, at };
  if (type === 'tool') {
    const { serverName, toolName, result } = block;
    const origins = [newOrigin({ ...origin, serverName, toolName })];
    return { ...block, untrusted: true, ...(result && { result: { ...result, origins } }) };
  }
  const isMarked = type === 'compact' || ('origins' in block && (block.origins ?? []).length > 0);
  return isMarked ? { ...block, origins: [newOrigin(origin)] } : block;
}

/** The files of a block whose words are untrusted. */
export function untrustedFiles(block: Block): { files: string[]; origins: Origin[] } {
  if (block.type === 'tool') {
    const { content = [], structuredStored, origins = [] } = block.result ?? {};
    const parts = content.flatMap((part) => ('stored' in part && part.stored ? [part.stored] : []));
    const whole = structuredStored ? [structuredStored] : [];
    const files = [...parts, ...whole].map(({ id }) => id);
    return { files: origins.length > 0 ? files : [], origins };
  }
  const { origins = [] } = 'origins' in block ? block : {};
  const isFile = 'stored' in block && block.stored !== undefined && origins.length > 0;
  return { files: isFile && block.stored ? [block.stored.id] : [], origins };
}
