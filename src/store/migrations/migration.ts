import type { Store } from '../store.ts';
/** One step of the schema. Never changed once released; the next step follows in a new file. */
export interface Migration {
  name: string;
  statements(dialect: Store['dialect']): string[];
}
