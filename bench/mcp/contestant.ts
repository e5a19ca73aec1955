import { fileURLToPath } from 'node:url';
import { start } from '../processes.ts';
import { type Call, type Era, type Load, toArguments } from './load.ts';

/** Where the server of a load is. A stdio server is started by the client itself. */
export type Target =
  | { transport: 'memory' }
  | { transport: 'stdio'; command: string; args: string[]; era: Era }
  | { transport: 'http'; url: string; era: Era };

/** A client, connected, that has listed the tools once. */
export interface Connected {
  /** Calls a tool and gives what the client gives. */
  call(tool: string, call: Call): Promise<unknown>;
  /** Lists everything, over all pages; how many tools there are. */
  list(): Promise<number>;
  close(): Promise<unknown>;
}

/** Each file in `contestants/` exports `connect` of this type. */
export type Connect = (target: Target) => Promise<Connected>;

/** The target of a load, with its HTTP server running until disposed. */
export async function openTarget(load: Load): Promise<{ target: Target } & AsyncDisposable> {
  const none = async (): Promise<void> => undefined;
  const args = toArguments(load);
  if (load.kind === 'lists' || load.transport === 'stdio') {
    const script = fileURLToPath(new URL('stdio-server.process.ts', import.meta.url));
    const era = load.kind === 'calls' ? load.era : 'legacy';
    const command = process.execPath;
    const target = { transport: 'stdio' as const, command, args: [script, ...args], era };
    return { target, [Symbol.asyncDispose]: none };
  }
  if (load.transport === 'memory') {
    return { target: { transport: 'memory' }, [Symbol.asyncDispose]: none };
  }
  const server = start(new URL('http-server.process.ts', import.meta.url), args);
  const url = (await server.line(/ready at (\S+)/))[1] ?? '';
  return {
    target: { transport: 'http', url, era: load.era },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
