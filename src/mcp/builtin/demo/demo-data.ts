import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readOnly, textResult } from '../toolkit/tool-result.ts';

const recipe = {
  uri: 'demo://recipes/cherry-cake',
  name: 'cherry-cake.md',
  title: 'Cherry cake',
  mimeType: 'text/markdown',
};

const recipeText = `# Cherry cake

1. Beat **4 eggs** with 150 g of sugar.
2. Fold in 200 g of flour and 80 g of butter.
3. Lay 500 g of cherries on top.

Bake for 40 minutes at 180 °C.
`;

const orchards = ['North slope', 'River bank', 'Old wall', 'Mill yard'];
const kinds = ['Regina', 'Kordia', 'Sunburst', 'Burlat', 'Lapins'];

/** Registers the tools whose results are records and resources. */
export function registerData(server: McpServer): void {
  server.registerTool(
    'show_table',
    {
      title: 'Show a table',
      description: 'Returns records of a made-up cherry harvest.',
      inputSchema: z.object({
        rows: z.int().min(1).max(5000).default(12).describe('Number of records'),
      }),
      outputSchema: z.object({ harvest: z.array(z.record(z.string(), z.unknown())) }),
      annotations: readOnly,
    },
    ({ rows }) => {
      const harvest = Array.from({ length: rows }, (_, index) => record(index));
      return textResult(JSON.stringify({ harvest }), { harvest });
    },
  );
  server.registerTool(
    'link_recipe',
    {
      title: 'Link a recipe',
      description: 'Returns a link to a resource of this server.',
      annotations: readOnly,
    },
    () => ({
      content: [
        { type: 'text', text: 'The recipe is available as a resource.' },
        { type: 'resource_link', ...recipe, description: 'For a 26 cm tin' },
      ],
    }),
  );
  const { uri, name, title, mimeType } = recipe;
  server.registerResource(name, uri, { title, mimeType }, () => ({
    contents: [{ uri, mimeType, text: recipeText }],
  }));
}

function record(index: number) {
  return {
    tree: index + 1,
    kind: kinds[index % kinds.length] ?? '',
    orchard: orchards[index % orchards.length] ?? '',
    kilograms: Math.round((20 + ((index * 37) % 61) / 2) * 10) / 10,
    ripe: index % 3 !== 0,
    notes: index % 5 === 0 ? { birds: index % 2 === 0 } : null,
  };
}
