import type { ModelAdapter, ModelRequest, ToolCheck } from '#shared/vocabulary/model.ts';

const checkTimeoutMs = 30_000;
/** Models in one server that are checked; loading them all may take a machine's whole memory. */
const maxChecked = 20;

/** Where results are kept, so that a model is checked once in its life. */
export interface ToolCheckMemory {
  read(): Promise<Record<string, ToolCheck>>;
  /** Others may keep theirs at the same time. */
  write(key: string, result: ToolCheck): Promise<void>;
}

/** One model to check; `key` tells it from all others. */
export interface CheckedModel {
  key: string;
  adapter(): Promise<ModelAdapter>;
}

/** What is known of whether found models can call tools. */
export interface ToolChecks {
  /** What came out; `unknown` before. */
  result(key: string): Promise<ToolCheck>;
  /** Checks those that were not, one after the other, while others go on. */
  start(models: CheckedModel[]): void;
  close(): void;
}

/** Checks in the background, one model at a time. Nothing of it can fail a caller. */
export function createToolChecks(
  memory: ToolCheckMemory,
  report: (error: unknown) => void,
): ToolChecks {
  const ending = new AbortController();
  const begun = new Set<string>();
  let results: Promise<Record<string, ToolCheck>> | undefined;
  let last = Promise.resolve();

  const known = () =>
    (results ??= memory.read().catch((error: unknown): Record<string, ToolCheck> => {
      report(error);
      return {};
    }));

  async function checkOne(model: CheckedModel): Promise<void> {
    const present = await known();
    if (ending.signal.aborted || present[model.key]) return;
    const result = await checkTools(await model.adapter(), ending.signal);
    if (ending.signal.aborted || result === 'unknown') return;
    present[model.key] = result;
    await memory.write(model.key, result);
  }

  return {
    result: async (key) => (await known())[key] ?? 'unknown',
    start(models) {
      for (const model of models.slice(0, maxChecked)) {
        if (begun.has(model.key)) continue;
        begun.add(model.key);
        last = last.then(() => checkOne(model)).catch(report);
      }
    },
    close: () => ending.abort(),
  };
}

const request: ModelRequest = {
  purpose: 'answer',
  system: 'You answer by calling tools.',
  messages: [
    {
      role: 'user',
      parts: [
        {
          type: 'text',
          text: 'Call the tool report_number with the number 7. Do not write anything else.',
        },
      ],
    },
  ],
  tools: [
    {
      name: 'report_number',
      description: 'Reports a number.',
      inputSchema: {
        type: 'object',
        properties: { number: { type: 'integer', description: 'The number.' } },
        required: ['number'],
      },
    },
  ],
  parameters: { temperature: 0, maxOutputTokens: 2000 },
};

/** Whether a model calls a tool when it is told to. `unknown` if it did not answer within 30 s. */
export async function checkTools(model: ModelAdapter, signal: AbortSignal): Promise<ToolCheck> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
  for await (const batch of model.stream(request, either)) {
    for (const chunk of batch) {
      if (chunk.type === 'tool-pending') {
        return chunk.toolName === 'report_number' && chunk.arguments ? 'passed' : 'failed';
      }
      // A model that used all its tokens for thinking proves nothing either way.
      if (chunk.type === 'response-complete') {
        return chunk.finishReason === 'length' ? 'unknown' : 'failed';
      }
      if (chunk.type === 'error') return refusesTools(chunk.error) ? 'failed' : 'unknown';
    }
  }
  return 'unknown';
}

/** A server says so when a model has no template for tools. */
function refusesTools({ details }: { details?: unknown }): boolean {
  const { status, vendorMessage = '' } = (details ?? {}) as {
    status?: number;
    vendorMessage?: string;
  };
  return status !== undefined && status < 500 && /tool|function|jinja/i.test(vendorMessage);
}
