/** Posts a request and reads its answer with the least there is: decode, split lines, hand over what each says. */
export async function readEvents(
  url: string,
  key: string,
  body: object,
  onData: (data: string) => void,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body) {
    throw new Error(`${url} answered ${response.status} ${await response.text()}`);
  }
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) onData(line.slice(6));
  }
}
