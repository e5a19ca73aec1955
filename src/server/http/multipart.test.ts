import { describe, expect, it } from 'vitest';
import { readFilePart } from './multipart.ts';

const type = 'multipart/form-data; boundary=AaB';
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"';
const form = (content: string, header = `${disposition}\r\nContent-Type: text/plain`): string =>
  `--AaB\r\n${header}\r\n\r\n${content}\r\n--AaB--\r\n`;

async function* cut(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 1000, contentType = type) {
  const { bytes, ...facts } = await readFilePart(cut(text, size), contentType);
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return { ...facts, content: Buffer.concat(pieces).toString() };
}

describe('the file of a form', () => {
  it('is the same however the form is cut into pieces', async () => {
    const content = 'one\r\n--Aa\r\n--A\r\n-two\r\n\r\n--Aa B';
    for (let size = 1; size < 200; size += 1)
      expect(await read(form(content), size)).toEqual({
        name: 'a.txt',
        mimeType: 'text/plain',
        content,
      });
    expect((await read(form(''), 1)).content).toBe('');
  });

  it('is what the form of a browser says', async () => {
    const data = new FormData();
    data.append('file', new Blob(['content'], { type: 'text/x-own' }), 'a"b é.txt');
    const request = new Request('http://a/', { method: 'POST', body: data });
    const header = request.headers.get('content-type') ?? '';
    const found = await read(await request.text(), 10, header);
    expect(found).toEqual({ name: 'a"b é.txt', mimeType: 'text/x-own', content: 'content' });
  });

  it.each([
    ['filename=plain.txt', 'plain.txt'],
    ['filename="a\\"b\\\\c"', 'a"b\\c'],
    ['filename="a%22b"; x=y', 'a"b'],
    ['FILENAME=""', ''],
  ])('has the name of %s', async (parameter, name) => {
    const header = `content-disposition: form-data; name="f"; ${parameter}`;
    expect(await read(form('x', header))).toEqual({ name, mimeType: '', content: 'x' });
  });

  it('may follow a preamble, and a boundary may be quoted', async () => {
    const found = await read(`preamble\r\n${form('x')}`, 7, 'multipart/form-data; boundary="AaB"');
    expect(found.content).toBe('x');
  });

  const second = `\r\n--AaB\r\n${disposition}\r\n\r\nsecond`;
  it.each([
    ['a field that is no file', form('x', 'Content-Disposition: form-data; name="a"')],
    ['two files', form(`first${second}`)],
    ['no part', '--AaB--\r\n'],
    ['another boundary', form('x').replaceAll('AaB', 'Other')],
    ['a boundary that only begins the same', form('x').replaceAll('AaB', 'AaBC')],
    ['an end within the content', `--AaB\r\n${disposition}\r\n\r\nhalf`],
    ['an end within the header', '--AaB\r\nContent-Dispo'],
    ['an end within the last boundary', form('x').slice(0, -3)],
    ['an endless header', `--AaB\r\n${'a: b\r\n'.repeat(50_000)}`],
    ['nothing', ''],
  ])('is refused where there is %s', async (_what, text) => {
    for (const size of [3, 1000])
      await expect(read(text, size)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
  ])('is refused with the content type %s', async (contentType) => {
    const reading = read(form('x'), 10, contentType);
    await expect(reading).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
