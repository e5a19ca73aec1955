import { describe, expect, it } from 'vitest';
import { openApi } from '../../../test/fixtures/http.ts';
import { eras, openProgram } from '../../../test/fixtures/mcp-programs.ts';

describe.each(eras)('a program of the %s revision', (era) => {
  it('sees the tools of all servers under their whole names and calls one', async () => {
    const api = await openApi();
    const program = await openProgram(api, era);
    const { tools } = await program.listTools();
    expect(tools.map(({ name }) => name)).toContain('mcp__time__get_current_time');
    const result = await program.callTool({
      name: 'mcp__time__get_current_time',
      arguments: { timezone: 'Asia/Tokyo' },
    });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result.content)).toContain('Asia/Tokyo');
  });

  it('sees one server under its own names', async () => {
    const api = await openApi();
    const program = await openProgram(api, era, { path: '/mcp/time' });
    const { tools } = await program.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_current_time');
    const result = await program.callTool({
      name: 'get_current_time',
      arguments: { timezone: 'Asia/Tokyo' },
    });
    expect(JSON.stringify(result.content)).toContain('Asia/Tokyo');
  });
});
