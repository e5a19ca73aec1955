import { describe, expect, it } from 'vitest';
import { callTool, connectClient } from '../../../../test/fakes/builtin-client.ts';
import { createCalculatorServer } from './calculator.ts';

describe('calculate', () => {
  it('answers exactly with integers and honestly with the rest', async () => {
    const client = await connectClient(createCalculatorServer());
    const exact = await callTool(client, 'calculate', { expression: '2^100' });
    expect(exact.structured).toMatchObject({
      result: '1267650600228229401496703205376',
      exact: true,
    });
    const rounded = await callTool(client, 'calculate', { expression: '0.1 + 0.2' });
    expect(rounded.structured).toMatchObject({ result: '0.3', exact: false });
    const failed = await callTool(client, 'calculate', { expression: '1/0' });
    expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('by zero') });
    await client.close();
  });
});
