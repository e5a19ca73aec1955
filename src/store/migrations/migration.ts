export type Dialect = 'sqlite' | 'postgres';

/** One step of the schema. Never changed once released; the next step follows in a new file. */
export interface Migration {
  name: string;
  statements(dialect: Dialect): string[];
}
