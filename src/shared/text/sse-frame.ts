/** An event of a stream as text; `event` is its name, `id` what a reader that comes back begins after. */
export function sseFrame(data: unknown, event?: string, id?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  const number = id === undefined ? '' : `id: ${id}\n`;
  return `${number}${name}data: ${JSON.stringify(data)}\n\n`;
}
