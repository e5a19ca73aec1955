import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { newKey } from '#client/http/key.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import { findServer, withClient } from '../client/with-server.ts';
import { printLine } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';

interface Line {
  server: string;
  tool: string;
  args: JsonObject;
}

/** `cerise mcp batch FILE`: exit code 1 unless every call succeeded. */
export async function batch(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.batch);
  const lines = readLines(await readInput(words[0] ?? '', io));
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    const calls = lines.map(({ server, tool, args }) => ({
      serverId: findServer(servers, server).id,
      toolName: tool,
      arguments: args,
    }));
    const { results } = await client.tools.callAll(calls, values.key ?? newKey());
    for (const each of results) printLine(io, JSON.stringify(each));
    const isGood = results.every(
      ({ call }) => call?.state === 'succeeded' && !call.result?.isError,
    );
    return isGood ? 0 : 1;
  });
}

async function readInput(file: string, io: Io): Promise<string> {
  if (file === '-') return text(io.stdin);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CeriseError('invalid_request', say('cli-cannot-read')`Can't read ${file}.`, {
      cause,
    });
  });
}

function readLines(input: string): Line[] {
  const lines = input.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const calls = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => readLine(line, number));
  if (calls.length > 0) return calls;
  throw new CeriseError('invalid_request', say('cli-batch-empty')`There are no calls in the file.`);
}

function readLine(line: string, number: number): Line {
  const value = parseJson(line);
  if (isJsonObject(value)) {
    const { server, tool, arguments: args = {} } = value;
    if (typeof server === 'string' && typeof tool === 'string' && isJsonObject(args))
      return { server, tool, args };
  }
  throw new CeriseError('invalid_request', say('cli-batch-line')`Line ${number} isn't a call.`, {
    hint: say('cli-batch-line-hint')`Write {"server": "NAME", "tool": "TOOL", "arguments": {}}.`,
  });
}
