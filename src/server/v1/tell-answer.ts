import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { hasSent, type StartedRun } from '#chat/runs/runs.ts';
import { AnswerCursor, type Piece } from '#shared/answer/answer-cursor.ts';
import { failureOf } from '#shared/answer/answer-ending.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { Reading } from './reading.ts';
import { type Vendor, vendorError } from './v1-errors.ts';

/** How a vendor's API presents an answer. */
interface AnswerFormat {
  vendor: Vendor;
  /** The client requested a stream. */
  isStreamed: boolean;
  /** With the data of its images. */
  withImages?: boolean;
  whole: (answer: Message) => object;
  encoder: () => { write(pieces: readonly Piece[]): string };
  /** What tells the client that the stream ends before the answer. */
  cut: (error: ErrorInfo) => string;
  /** Sent while nothing else happens; absent: a comment. */
  heartbeat?: string;
}

/** The response to a request for an answer: all of it at once, or a stream. */
export async function tellAnswer(
  host: Host,
  visitor: Visitor,
  started: StartedRun,
  signal: AbortSignal,
  format: AnswerFormat,
): Promise<Response> {
  const { vendor, withImages = false, cut, heartbeat } = format;
  const reading = await Reading.open(host, visitor, started, { signal, withImages });
  if (!format.isStreamed) {
    const answer = await reading.ended();
    const failure = failureOf(answer);
    if (failure) return vendorError(failure, vendor, { isFinal: hasSent(answer) });
    return Response.json(format.whole(answer));
  }
  await reading.begun(host.limits.heartbeat);
  const failure = failureOf(reading.answer);
  if (failure && !hasSent(reading.answer)) return vendorError(failure, vendor);
  const joins = started.after === undefined;
  const cursor = new AnswerCursor(started.run.begins, { skipsCut: true, joins });
  const encoder = format.encoder();
  return reading.stream({
    write: (answer) => encoder.write(cursor.advance(answer)),
    cut,
    ...(heartbeat !== undefined && { heartbeat }),
  });
}
