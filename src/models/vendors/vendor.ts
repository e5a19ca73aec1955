import type { WireQuirks } from '../wires/wire.ts';

/** The protocols that models are spoken to in. */
export type WireName =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'google-generate';

/** A vendor as data: adding one that speaks a known wire needs no code. */
export interface Vendor {
  /** What `Provider.kind` says, and how a provider from the environment is named. */
  name: string;
  label: string;
  /** Stands first where vendors are listed. */
  popular?: true;
  /** Where it serves; absent: everywhere. */
  region?: 'china' | 'europe';
  wire: WireName;
  /** Absent: it has to be given. */
  baseUrl?: string;
  /** Variables that may hold a key; the first that is set counts. */
  keyVariables: readonly string[];
  /** Where keys are made. */
  keysUrl?: string;
  /** How its models are listed. */
  list: 'openai' | 'anthropic' | 'google' | 'ollama' | 'lm-studio';
  /** Added to the address of the list. */
  listQuery?: string;
  /** The models to name where the vendor does not list them. */
  models?: readonly string[];
  /** Where it listens if it runs on this machine. */
  ports?: readonly number[];
  quirks?: WireQuirks;
}
