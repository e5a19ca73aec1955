import type { Event } from '#shared/vocabulary/event.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { reduceMessage } from '#shared/vocabulary/reduce.ts';
import type { Viewer } from '../topic/viewers.ts';

/** Gets one answer of a topic as it grows. */
export interface AnswerListener {
  show(answer: Message): void;
  /** The topic was deleted, or the host ends. */
  end(): void;
}

/** A viewer of a topic that follows one answer. */
export function answerViewer(answer: Message, listener: AnswerListener): Viewer {
  let shown = answer;
  return {
    send: (frames) => {
      const before = shown;
      for (const event of eventsIn(frames)) shown = advanced(shown, event);
      if (shown !== before) listener.show(shown);
    },
    end: () => listener.end(),
  };
}

const dataField = 'data: ';

function eventsIn(frames: string): Event[] {
  return frames
    .split('\n')
    .filter((line) => line.startsWith(dataField))
    .map((line) => JSON.parse(line.slice(dataField.length)) as Event);
}

function advanced(answer: Message, event: Event): Message {
  if (event.type === 'snapshot')
    return event.conversation.messages.find(({ id }) => id === answer.id) ?? answer;
  if (!('messageId' in event) || event.messageId !== answer.id) return answer;
  return reduceMessage(answer, event);
}
