import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

// Reads a stream of events as a browser would, says when it is connected, and at the end of each
// answer how long the text had become.

const [, , url = '', token = ''] = process.argv;
const request = get(url, {
  headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
});
const [response] = (await once(request, 'response')) as [IncomingMessage];
if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
console.log('connected');

const lengths = new Map<string, number>();
response.setEncoding('utf8');
let rest = '';
for await (const piece of response as AsyncIterable<string>) {
  const lines = (rest + piece).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)));
}

interface StreamEvent {
  type: string;
  blockId?: string;
  offset?: number;
  text?: string;
  length?: number;
  status?: string;
}

function onEvent(event: StreamEvent): void {
  const id = event.blockId ?? '';
  if (event.type === 'block-delta') {
    const end = (event.offset ?? 0) + (event.text ?? '').length;
    lengths.set(id, Math.max(lengths.get(id) ?? 0, end));
  } else if (event.type === 'message-end') {
    const longest = Math.max(0, ...lengths.values());
    lengths.clear();
    console.log(`ended ${event.status} ${longest}`);
  }
}
