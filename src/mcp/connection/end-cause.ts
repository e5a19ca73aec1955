import type { StdioConfig } from '#shared/vocabulary/server.ts';
import type { Output } from './choose-line.ts';

/** Why a package, a runtime or a part of one does not run at all. */
export type PackageCause =
  | { kind: 'package'; name: string }
  | { kind: 'version'; spec: string }
  | { kind: 'network' }
  | { kind: 'registry'; sign: 'npm login' | 'docker login' }
  | { kind: 'platform' }
  | { kind: 'build' }
  | { kind: 'script'; command: string }
  | { kind: 'broken' }
  | { kind: 'rebuild' }
  | { kind: 'git' }
  | { kind: 'node'; wanted?: string }
  | { kind: 'language'; program: string; wanted: string }
  | { kind: 'runtime'; program: string }
  | { kind: 'command'; command: string }
  | { kind: 'library'; name: string };

/** Why a server does not start, as far as a program can tell. */
export type EndCause =
  | PackageCause
  | { kind: 'variable'; names: string[] }
  | { kind: 'argument' }
  | { kind: 'setting' }
  | { kind: 'port'; port?: string }
  | { kind: 'permission'; path?: string }
  | { kind: 'address'; url: string }
  | { kind: 'file'; path: string }
  | { kind: 'absent'; path: string }
  | { kind: 'service'; address?: string }
  | { kind: 'disk' }
  | { kind: 'daemon' }
  | { kind: 'module'; name: string }
  | { kind: 'certificate' }
  | { kind: 'refused' }
  | { kind: 'busy' }
  | { kind: 'terminal' }
  | { kind: 'prompt' }
  | { kind: 'display' }
  | { kind: 'crash' }
  | { kind: 'text' };

/** The line that explains an end, and what it means. */
export interface EndReason {
  line?: string;
  cause?: EndCause;
}

/** How it ended: by itself, or it runs and does not answer. */
export interface Ending {
  output: Output;
  /** It still ran: it did not answer in time. */
  silent?: boolean;
  config: Pick<StdioConfig, 'args' | 'env'> & Partial<Pick<StdioConfig, 'command'>>;
}

/** Tells a line that names its cause; undefined for any other. */
export type Recogniser = (line: string, ending: Ending) => EndCause | undefined;
