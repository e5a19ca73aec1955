import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { answerCheckSchema } from '#chat/replay/answer-checks.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { parseJson } from '#shared/vocabulary/json.ts';

/** What is different in the other version of an answer; absent: nothing. */
const changesSchema = z.strictObject({
  model: z.string().optional(),
  prompt: z.string().optional(),
  /** What calls do. */
  tools: z.enum(['recorded', 'live']).optional(),
});

const caseSchema = changesSchema.extend({
  name: z.string().min(1),
  topic: z.string().min(1),
  /** Absent: the last one shown. */
  answer: z.string().optional(),
  /** The step from which it is made anew; absent: the first. */
  from: z.int().min(1).optional(),
  checks: z.array(answerCheckSchema).min(1),
});

const fileSchema = changesSchema
  .extend({
    /** The model that judges. */
    judge: z.string().optional(),
    cases: z.array(caseSchema).min(1),
  })
  .refine(
    ({ judge, cases }) =>
      judge !== undefined || !cases.some(({ checks }) => checks.some((each) => 'judge' in each)),
    { path: ['judge'] },
  );

export type EvalFile = z.infer<typeof fileSchema>;
export type EvalCase = z.infer<typeof caseSchema>;

/** Throws `invalid_request` with the place of what is wrong. */
export async function readEvalFile(path: string): Promise<EvalFile> {
  const name = path.slice(0, 200);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CeriseError('invalid_request', say('cli-cannot-read')`Can't read ${name}.`, {
      cause,
    });
  });
  const parsed = fileSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const place = (parsed.error.issues[0]?.path ?? []).join('.');
  throw new CeriseError(
    'invalid_request',
    place === ''
      ? say('cli-eval-no-file')`${name} isn't a file of cases.`
      : say('cli-eval-file')`${name}: ${place} is missing or invalid.`,
    { hint: say('cli-eval-hint')`See docs/replay.md for an example.` },
  );
}
