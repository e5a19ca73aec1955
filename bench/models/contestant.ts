import type { WireName } from './load.ts';

/** Where the provider is, and how to speak to it. */
export interface Target {
  wire: WireName;
  baseUrl: string;
}

/**
 * Asks a model and reads its answer to the end; with `tools` the calculator is offered and what the
 * model asks of it is run, round after round. Gives the length of the text.
 */
export type Ask = (model: string, tools: boolean) => Promise<number>;

/** Each file in `contestants/` exports `connect` of this type. */
export type Connect = (target: Target) => Ask;

/** What every contestant asks. */
export const question = 'Go on.';
/** Nobody looks at it, and the SDKs want one. */
export const apiKey = 'bench-key';

/** What our adapters are told of the model. */
export const capabilities = {
  tools: true,
  imagesIn: false,
  audioIn: false,
  filesIn: false,
  imagesOut: false,
  reasoning: false,
};
