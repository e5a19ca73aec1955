import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const most = 500;
const maxChars = 10_000;

/** What was entered earlier, also in other sessions: one JSON string a line, readable by its owner alone. */
export async function readHistory(home: string): Promise<string[]> {
  const text = await readFile(fileOf(home), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Keeps the newest entries. Where the folder cannot be written, they are only those of this session. */
export async function writeHistory(home: string, entries: readonly string[]): Promise<void> {
  const lines = entries.filter(({ length }) => length <= maxChars).slice(-most);
  const text = lines.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(fileOf(home), text, { mode: 0o600 }).catch(() => undefined);
}

function fileOf(home: string): string {
  return join(home, 'terminal-history');
}
