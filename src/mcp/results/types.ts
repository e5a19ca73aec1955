import { type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ContentPart, ToolAnnotations } from '#shared/vocabulary/tool.ts';

/** What a server says about keeping an answer; times are milliseconds. */
export interface CacheHints {
  ttlMs: number;
  /** `private` answers are never shared between credentials. */
  cacheScope: 'public' | 'private';
}

/** What was read of an answer, with the hints the server gave about keeping it. */
export type Read<T> = {
  value: T;
  /** There was more than is used. */ cut?: true;
} & Partial<CacheHints>;

/** An icon. Only `https:` and `data:image/` addresses are kept; nothing was loaded. */
export interface McpIcon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** A parameter whose value is sent in a header too (HTTP, modern). */
export interface MirroredParameter {
  /** The whole header name, `Mcp-Param-…`. */
  header: string;
  /** The property names that lead to the value in the arguments. */
  path: string[];
}

/** A tool as its server lists it. Its schemas are within bounds. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations: ToolAnnotations;
  /** Why the tool cannot be used; its input schema is then left out. */
  problem?: Words;
  mirrored?: MirroredParameter[] | undefined;
  /** Whether a call may, or has to, become a task (2025-11-25). */
  taskSupport?: 'optional' | 'required';
  icons?: McpIcon[];
  meta?: JsonObject;
}

/** What resources and templates have in common. */
interface McpDocument {
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: McpIcon[];
  annotations?: DocumentAnnotations;
  meta?: JsonObject;
}

/** Whom a document is for and how much it matters (0..1). */
export interface DocumentAnnotations {
  audience?: ('user' | 'assistant')[];
  priority?: number;
  lastModified?: string;
}

/** Something that can be read, as its server lists it. */
export interface McpResource extends McpDocument {
  uri: string;
  size?: number;
}

/** A pattern of addresses that can be read. */
export interface McpResourceTemplate extends McpDocument {
  uriTemplate: string;
}

/** One document of a read resource; `text`, or `blob` in Base64. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  meta?: JsonObject;
}

/** A prompt as its server lists it, with the arguments that it takes. */
export interface McpPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments: { name: string; title?: string; description?: string; required: boolean }[];
  icons?: McpIcon[];
  meta?: JsonObject;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentPart;
}

/** A prompt with its arguments filled in. */
export interface GetPromptResult {
  description?: string;
  messages: PromptMessage[];
}

/** Proposals for the value of an argument. */
export interface Completion {
  values: string[];
  total?: number;
  hasMore: boolean;
}

/** A file of a skill as its server lists it. */
export interface SkillFile {
  uri: string;
  /** `sha256:` and 64 hexadecimal digits, over the raw bytes. */
  digest: string;
  size: number;
}

/** Instructions a server offers: a `SKILL.md` and the files beside it. Nothing of it was read yet. */
export interface McpSkill {
  /** The address of the `SKILL.md`. */
  uri: string;
  name: string;
  description: string;
  /** What its `SKILL.md` says of itself, and has to say again when it is loaded. */
  frontmatter: JsonObject;
  /** Every file of it; `dynamic` files cannot be checked. */
  files: SkillFile[] | 'dynamic';
}
