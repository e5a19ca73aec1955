import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';

/** Calls that stand together with what they found, behind one line. */
export interface BlockGroup {
  /** That of its first block: it stays while more come. */
  id: string;
  blocks: Block[];
  tools: ToolBlock[];
}

/** So many calls in a row are a series, whether they ran at once or not. */
const series = 4;

/**
 * The blocks of a message, calls of one round and long series of calls as groups. What a later try of
 * the same translation replaced is left out. Pure; order stays.
 */
export function groupBlocks(blocks: readonly Block[]): (Block | BlockGroup)[] {
  const shown: (Block | BlockGroup)[] = [];
  let run: Block[] = [];
  const close = () => {
    shown.push(...toGroup(run));
    run = [];
  };
  for (const [index, block] of blocks.entries()) {
    if (isCallBlock(block)) run.push(block);
    else {
      close();
      if (!isReplaced(block, blocks[index + 1])) shown.push(block);
    }
  }
  close();
  return shown;
}

/** Whether an entry is a group. */
export function isGroup(entry: Block | BlockGroup): entry is BlockGroup {
  return 'tools' in entry;
}

function isCallBlock({ type }: Block): boolean {
  return type === 'tool' || type === 'citation';
}

function toGroup(run: Block[]): (Block | BlockGroup)[] {
  const [first] = run;
  const tools = run.filter((block): block is ToolBlock => block.type === 'tool');
  const parallel = tools.some(({ round }, index) => tools[index + 1]?.round === round);
  if (!first || (!parallel && tools.length < series)) return run;
  return [{ id: first.id, blocks: run, tools }];
}

function isReplaced(block: Block, next: Block | undefined): boolean {
  return (
    block.type === 'translation' && block.status === 'interrupted' && next?.type === 'translation'
  );
}
