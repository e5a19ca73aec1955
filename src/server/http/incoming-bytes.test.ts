import { describe, expect, it } from 'vitest';
import { readText } from '../api/guard.ts';
import { incomingBytes } from './incoming-bytes.ts';

/** A request that counts how often it is made a stream: that costs more than all else that is done with a short one. */
function requestOf(text: string, announced: string | undefined) {
  const headers = new Headers(announced === undefined ? {} : { 'content-length': announced });
  const request = new Request('http://localhost/', { method: 'POST', body: text, headers });
  let streams = 0;
  const counted = {
    headers,
    text: () => request.text(),
    arrayBuffer: () => request.arrayBuffer(),
    get body() {
      streams += 1;
      return request.body;
    },
  } as unknown as Request;
  return { request: counted, streams: () => streams };
}

async function bytesOf(request: Request): Promise<string> {
  const pieces = [];
  for await (const piece of incomingBytes(request)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('a body', () => {
  it('that announces its length is no stream', async () => {
    const { request, streams } = requestOf('hello', '5');
    expect(await readText(request, 5)).toBe('hello');
    expect(streams()).toBe(0);
  });

  it('that announces a short length comes in one piece', async () => {
    const { request, streams } = requestOf('hello', '5');
    expect(await bytesOf(request)).toBe('hello');
    expect(streams()).toBe(0);
  });

  it.each(['1000000', 'many', undefined])('that announces %s comes as a stream', async (length) => {
    const { request, streams } = requestOf('hello', length);
    expect(await bytesOf(request)).toBe('hello');
    expect(streams()).toBe(1);
  });

  it.each(['many', undefined])('that announces %s is bounded while it comes', async (length) => {
    const { request } = requestOf('hello', length);
    await expect(readText(request, 4)).rejects.toMatchObject({ code: 'body_too_large' });
  });
});
