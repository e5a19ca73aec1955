import { createHash } from 'node:crypto';
import type { Brought, BroughtPart } from './run-request.ts';

/** A hash of a history; the same for every API format. */
export function chainOf(said: readonly Brought[]): string {
  const hash = createHash('sha256');
  for (const entry of said) {
    const parts = entry.role === 'assistant' ? [] : entry.parts;
    hash.update(JSON.stringify(factsOf(entry)));
    for (const part of parts)
      if (part.type === 'file') for (const piece of part.bytes) hash.update(piece);
  }
  return hash.digest('base64url');
}

function factsOf(entry: Brought): unknown[] {
  const { role } = entry;
  if (role === 'user') return [role, entry.parts.map(partFacts)];
  if (role === 'tool') return [role, entry.callId, entry.parts.map(partFacts)];
  const calls = entry.calls.map(({ callId, toolName, arguments: args }) => [
    callId,
    toolName,
    args,
  ]);
  return [role, entry.text, calls];
}

function partFacts(part: BroughtPart): unknown[] {
  if (part.type === 'text') return ['text', part.text];
  if (part.type === 'file') return ['file', part.mimeType];
  return part.type === 'stored' ? ['stored', part.id] : ['address', part.url];
}
