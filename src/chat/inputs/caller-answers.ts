import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { AnswerInput } from '#shared/api/input-api.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type {
  RequestContext,
  Root,
  SamplingAnswer,
  ServerRequest,
} from '#shared/vocabulary/server-request.ts';
import type { CallQuestion } from '../calls/asker.ts';

const maxRoots = 100;

/** Who asks, by the names that the server itself uses. */
export function aboutQuestion({
  serverName,
  question,
}: RequestContext): Pick<CallQuestion, 'key' | 'serverName'> {
  const key = question?.slice(question.indexOf('/') + 1);
  return { serverName, ...(key && { key }) };
}

/** A question for a person as MCP writes it. */
export function toParams(request: Extract<ServerRequest, { kind: 'form' | 'url' }>): JsonObject {
  const { message } = request;
  if (request.kind === 'form') return { message, requestedSchema: { ...request.schema } };
  const { url, elicitationId } = request;
  return { mode: 'url', message, url, ...(elicitationId && { elicitationId }) };
}

/** What a caller answered to a question for a person. Throws `invalid_request`. */
export function readElicited({ action, content }: JsonObject): AnswerInput {
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw unreadable('action');
  if (content !== undefined && content !== null && !isJsonObject(content))
    throw unreadable('content');
  return { action, ...(action === 'accept' && isJsonObject(content) && { content }) };
}

/** The message of a caller's model. Throws `invalid_request`. */
export function readSampled({ content, model, stopReason }: JsonObject): SamplingAnswer {
  const parts = Array.isArray(content) ? content : [content];
  if (!parts.every((part) => isJsonObject(part))) throw unreadable('content');
  return {
    role: 'assistant',
    content: Array.isArray(content) ? parts : (content as JsonObject),
    model: typeof model === 'string' ? truncate(model, 300) : 'unknown',
    ...(typeof stopReason === 'string' && { stopReason: truncate(stopReason, 100) }),
  };
}

/** The folders that a caller works in. Throws `invalid_request`. */
export function readRoots({ roots }: JsonObject): Root[] {
  if (!Array.isArray(roots) || roots.length > maxRoots) throw unreadable('roots');
  return roots.map((root) => {
    if (!isJsonObject(root) || typeof root.uri !== 'string') throw unreadable('roots');
    const { uri, name } = root;
    return {
      uri: truncate(uri, 4096),
      ...(typeof name === 'string' && { name: truncate(name, 200) }),
    };
  });
}

function unreadable(field: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('caller-answer')`The answer to the server's request can't be read: ${field}.`,
  );
}
