import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '#client/client.ts';
import type { ToolView } from '#shared/api/api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say, toWords } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { decideCall } from '../client/decide-call.ts';
import { followInputs } from '../client/follow-inputs.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { contentText } from '../terminal/content-text.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { readOptions, readPairs, wrongUse } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { tell } from '../messages/tell.ts';

interface Call {
  io: Io;
  client: Client;
  terminal: Terminal;
  id: string;
  yes: boolean;
}

/** `cerise mcp call NAME TOOL [JSON]`: exit code 1 if the tool failed. */
export async function call(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.call);
  const [name = '', tool = '', text] = words;
  const whole = text === undefined ? {} : readObject(text);
  const pairs = readPairs(values.arg ?? [], mcpCommands.call);
  return withServer(settings, io, name, async (client, server) => {
    const { inputSchema } = await findTool(client, server.id, tool);
    const args = { ...whole, ...typed(pairs, inputSchema) };
    const running = { io, client, terminal: openTerminal(io), id: randomUUID(), yes: values.yes };
    const interrupted = abortOnInterrupt(io, running);
    const result = await callAndAnswer(running, server.id, tool, args).catch((error: unknown) => {
      if (!interrupted()) throw error;
    });
    if (!result) return 130;
    if (values.json) printJson(io, result);
    else show(io, result);
    return result.isError ? 1 : 0;
  });
}

/** Calls the tool; questions of its server are asked here. */
async function callAndAnswer(
  running: Call,
  serverId: string,
  tool: string,
  args: JsonObject,
): Promise<ToolResult> {
  const { client, id } = running;
  const inputs = followInputs(
    client,
    running,
    ({ toolCallId }) => toolCallId === undefined || toolCallId === id,
  );
  try {
    const body = { arguments: args, callId: id };
    const answer = await client.servers.callTool(serverId, tool, body);
    return 'state' in answer ? await decide(running, answer) : answer;
  } finally {
    inputs.close();
  }
}

async function decide(running: Call, waiting: ToolCallView): Promise<ToolResult> {
  const { client } = running;
  const { id, argsHash, serverName, toolName, rule = '', reason } = waiting;
  const args = isJsonObject(waiting.arguments) ? waiting.arguments : {};
  const call = { serverName, toolName, arguments: args, approval: { rule, reason } };
  await decideCall(running, { id, argsHash, call });
  for (let pause = 50; ; pause = Math.min(pause * 1.5, 1000)) {
    const { endedAt, result, error } = await client.toolCalls.read(id);
    if (result) return result;
    if (endedAt !== undefined) throw failure(error);
    await setTimeout(pause);
  }
}

function failure(error: ErrorInfo | undefined): CeriseError {
  return new CeriseError(
    error?.code ?? 'internal',
    error?.message ?? say('cli-call-failed')`The call failed.`,
    error,
  );
}

/** Ctrl-C cancels the call at its server; a second one ends the program. */
function abortOnInterrupt(io: Io, { client, id }: Pick<Call, 'client' | 'id'>): () => boolean {
  let interrupted = false;
  io.onSignal('SIGINT', () => {
    if (interrupted) io.exit(130);
    interrupted = true;
    client.toolCalls.abort(id).catch(() => io.exit(130));
  });
  return () => interrupted;
}

/** A tool by its name. Throws `tool_not_found` with similar names. */
export async function findTool(client: Client, serverId: string, name: string): Promise<ToolView> {
  const { tools } = await client.servers.tools(serverId);
  const tool = tools.find((each) => each.name === name);
  if (tool) return tool;
  const near = nearestNames(
    name,
    tools.map((each) => each.name),
  );
  throw new CeriseError(
    'tool_not_found',
    say('server-no-tool')`The server has no tool named ${name.slice(0, 100)}.`,
    {
      hint:
        near.length > 0
          ? say('cli-similar')`Similar: ${near.join(', ')}.`
          : say('cli-no-tools')`It has no tools.`,
    },
  );
}

function readObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw wrongUse(
      say('cli-arguments-json')`The arguments must be valid JSON.`,
      mcpCommands.call,
      cause,
    );
  }
  throw wrongUse(
    say('arguments-no-object')`The arguments must be a JSON object.`,
    mcpCommands.call,
  );
}

/** A value is a text where the tool wants one, else JSON if it can be read as such. */
function typed(pairs: Record<string, string>, schema: unknown): JsonObject {
  const properties =
    isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const wantsText = isJsonObject(property) && property.type === 'string';
      return [key, wantsText ? value : jsonOrText(value)];
    }),
  );
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON, so it is meant as it stands.
    return text;
  }
}

function show(io: Io, result: ToolResult): void {
  const { content, structuredContent, isError, problem, problemSaid, errorSaid } = result;
  const out = isError ? io.stderr : io.stdout;
  for (const part of content) {
    const text = contentText(part);
    out.write(`${errorSaid ? terminalText(tell(toWords(text, errorSaid))) : text}\n`);
  }
  if (content.length === 0 && structuredContent !== undefined) printJson(io, structuredContent);
  if (problem)
    printLine(io, terminalLine(tell(say('cli-note')`Note: ${toWords(problem, problemSaid)}`)));
}
