import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { newServer } from '../toolkit/new-server.ts';
import { readOnly, textResult } from '../toolkit/tool-result.ts';
import type { Value } from './arithmetic.ts';
import { evaluate } from './expression.ts';

/** The server `calculator`. Expressions are parsed, never run as code. */
export function createCalculatorServer(): McpServer {
  const server = newServer(
    'calculator',
    'Calculator',
    'Use this for any arithmetic with more than two digits. Integer results are exact.',
  );
  server.registerTool(
    'calculate',
    {
      title: 'Calculate',
      description:
        'Calculates an arithmetic expression: + - * / % ^ ! ( ), percent (15%), pi, e, and ' +
        'functions such as sqrt, sin (radians), log (base 10, or log(x, base)), ln, round(x, digits), ' +
        'min, max, avg, gcd. Integers are exact at any size (2^100).',
      inputSchema: z.object({
        expression: z.string().min(1).max(2000).describe('For example "(3 + 4) * 2^10 / sqrt(2)"'),
      }),
      outputSchema: z.object({
        expression: z.string(),
        result: z.string(),
        exact: z.boolean().describe('False when the result was rounded or may have been'),
      }),
      annotations: readOnly,
    },
    ({ expression }) => {
      const value = evaluate(expression);
      const result = format(value);
      return textResult(result, { expression, result, exact: typeof value === 'bigint' });
    },
  );
  return server;
}

/** Fifteen digits: what floating point can vouch for. */
function format(value: Value): string {
  return typeof value === 'bigint' ? value.toString() : String(Number(value.toPrecision(15)));
}
