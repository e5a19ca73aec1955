/** One server-sent event. */
export interface SseMessage {
  id?: string;
  event?: string;
  data: string;
}

/**
 * A parser for one stream: give it text as it arrives, cut anywhere, and get the events that are
 * complete. Comments and unknown fields are skipped.
 */
export function createSseParser(): (chunk: string) => SseMessage[] {
  let rest = '';
  let data: string[] = [];
  let id: string | undefined;
  let event: string | undefined;

  const endEvent = (found: SseMessage[]) => {
    if (data.length > 0) {
      found.push({
        data: data.join('\n'),
        ...(id !== undefined && { id }),
        ...(event && { event }),
      });
    }
    data = [];
    id = undefined;
    event = undefined;
  };
  const readLine = (line: string) => {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
    else if (field === 'event') event = value;
  };

  return (chunk) => {
    const found: SseMessage[] = [];
    rest += chunk;
    // A carriage return at the very end may be half of a line end: it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') endEvent(found);
      else if (!line.startsWith(':')) readLine(line);
    }
    return found;
  };
}
