import { describe, expect, it } from 'vitest';
import printed from '../../../test/fixtures/printed-configs.json' with { type: 'json' };
import readmes from '../../../test/fixtures/readme-configs.json' with { type: 'json' };
import { mapSecrets } from '../api/server-secrets.ts';
import { readImportedServer } from './imported-server.ts';
import { fillIn, findQuestions } from './placeholders.ts';
import { readImport } from './read-import.ts';

/** Shapes that documents use, and blocks of code as READMEs on npm have them. */
const all = [...printed.map((each) => ({ from: each.text.slice(0, 60), ...each })), ...readmes];

describe('servers as documents print them', () => {
  it.each(all.map((each, at) => [at, each.from, each] as const))(
    '%i are read as pasted: %s',
    (_at, _start, { text, servers, ...more }) => {
      const { entries, inputs } = readImport(text);
      const asked = entries.flatMap(({ fields }) => findQuestions(fields, inputs));
      expect(asked.map(({ id }) => id)).toEqual('asks' in more ? more.asks : []);
      const read = entries.map(({ name, fields }) => {
        const answers = new Map(asked.map(({ id }) => [id, 'answer']));
        const { inputs: _, ...rest } = fillIn(fields, answers, asked);
        return readImportedServer({ ...rest, name }).config;
      });
      expect(read).toMatchObject(servers);
      // Nothing that stays behind refers to anything of the host.
      for (const config of read)
        mapSecrets(config, (value) => {
          expect(value).not.toMatch(/(?<!\$)\$\{(?!secret:)/);
          return value;
        });
    },
  );
});
