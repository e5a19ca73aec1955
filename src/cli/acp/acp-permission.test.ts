import { expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { permissionRequest } from './acp-permission.ts';

it('T84: asks about a tool by its name, whatever title its server gives it', () => {
  const block = {
    toolCallId: 'c',
    serverName: 'files',
    toolName: 'delete\u202e_all',
    title: 'Read a file',
    arguments: { path: '/' },
  } as unknown as ToolBlock;
  expect(permissionRequest(block)).toMatchObject({
    toolCall: { title: 'files · delete⟨U+202E⟩_all', content: [{ content: { type: 'text' } }] },
  });
});
