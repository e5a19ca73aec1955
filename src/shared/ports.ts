/** A knowledge graph as the built-in memory server keeps it. */
export interface KnowledgeGraph {
  entities: { name: string; entityType: string; observations: string[] }[];
  relations: { from: string; to: string; relationType: string }[];
}

/** Where the built-in memory lives. `update` is atomic: nobody writes between read and write. */
export interface MemoryPort {
  read(): Promise<KnowledgeGraph>;
  update(change: (graph: KnowledgeGraph) => KnowledgeGraph): Promise<KnowledgeGraph>;
}

/** Seals what must not be readable in the database. `context` binds a value to its place. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** Throws CeriseError `wrong_key` if the value was sealed elsewhere or with another key. */
  open(sealed: string, context: string): string;
}

/** A structured log line; secrets are redacted by the implementation. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
