import { estimateOverhead, estimateTokens } from '../history/history-size.ts';
import type { BroughtPart, RunRequest } from './run-request.ts';

const tokensPerMedium = 1000;
const tokensPerEntry = 4;

/** Roughly how many tokens a request has, without the tools of servers, which are added here. */
export function estimateRequest({ system, clientTools, said }: RunRequest): number {
  const entries = said.map((entry) =>
    entry.role === 'assistant'
      ? estimateTokens(entry.text + entry.calls.map((call) => call.arguments).join(''))
      : entry.parts.reduce((sum, part) => sum + partTokens(part), 0),
  );
  return entries.reduce(
    (sum, each) => sum + tokensPerEntry + each,
    estimateOverhead(system, clientTools),
  );
}

function partTokens(part: BroughtPart): number {
  return part.type === 'text' ? estimateTokens(part.text) : tokensPerMedium;
}
