/** How many of the first bytes `sniffMediaType` wants to see. */
export const sniffBytes = 64;

const unknownType = 'application/octet-stream';
/** Types as RFC 6838 lets them be named. */
const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/**
 * The media type of a file by its first bytes. What they do not tell stays as declared, in lower case
 * and without parameters; where nothing is declared, what looks like text is text.
 */
export function sniffMediaType(head: Uint8Array, declared: string): string {
  const type = (declared.split(';', 1)[0] ?? '').trim().toLowerCase();
  const sniffed = fromBytes(head);
  if (sniffed !== undefined) return soundOrPicture(sniffed, type);
  const isSaid = wellFormed.test(type);
  if (isSaid && !saysNothing.has(type)) return type;
  if (isText(head)) return 'text/plain';
  return isSaid ? type : unknownType;
}

/** What programs declare that do not look at a file, or only at its name. */
const saysNothing = new Set([
  unknownType,
  'application/x-www-form-urlencoded',
  'binary/octet-stream',
  'video/mp2t', // TypeScript, by its name
]);

/** Bytes that are the beginning of a text in UTF-8: no control characters, the last one may be cut. */
function isText(head: Uint8Array): boolean {
  if (head.length === 0 || head.some((byte) => byte < 9 || byte === 0x7f)) return false;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }) !== '';
  } catch {
    return false;
  }
}

function fromBytes(head: Uint8Array): string | undefined {
  const signature = signatures.find(([, ...pieces]) =>
    pieces.every(([at, bytes]) => bytes.every((byte, n) => head[at + n] === byte)),
  );
  if (signature) return signature[0];
  if (isMp3Frame(head)) return 'audio/mpeg';
  return boxedType(head);
}

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** A type, and what stands where in its files. */
const signatures: [type: string, ...pieces: [at: number, bytes: number[]][]][] = [
  ['image/png', [0, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]]],
  ['image/jpeg', [0, [0xff, 0xd8, 0xff]]],
  ['image/gif', [0, ascii('GIF87a')]],
  ['image/gif', [0, ascii('GIF89a')]],
  ['image/webp', [0, ascii('RIFF')], [8, ascii('WEBP')]],
  // The four bytes in the middle are reserved; without them "BM" would be the start of a text.
  ['image/bmp', [0, ascii('BM')], [6, [0, 0, 0, 0]]],
  ['application/pdf', [0, ascii('%PDF-')]],
  ['audio/mpeg', [0, ascii('ID3\x02')]],
  ['audio/mpeg', [0, ascii('ID3\x03')]],
  ['audio/mpeg', [0, ascii('ID3\x04')]],
  ['audio/wav', [0, ascii('RIFF')], [8, ascii('WAVE')]],
  ['audio/ogg', [0, ascii('OggS\0')]],
  ['audio/flac', [0, ascii('fLaC')]],
];

/** An MPEG audio frame without a tag before it: layer III, and neither a reserved rate nor bitrate. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return isLayer3 && third >> 4 !== 0x0f && third >> 4 !== 0 && (third & 0x0c) !== 0x0c;
}

/** The families whose files begin with boxes: ISO media, and Matroska. */
function boxedType(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, sniffBytes));
  if (text.startsWith('\x1aE\xdf\xa3')) return text.includes('webm') ? 'video/webm' : undefined;
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  const size = (head[2] ?? 0) * 256 + (head[3] ?? 0);
  const brands = text.slice(8, Math.min(size, sniffBytes));
  if (/avi[fs]/.test(brands)) return 'image/avif';
  const brand = brands.slice(0, 4);
  if (brand === 'M4A ' || brand === 'M4B ') return 'audio/mp4';
  return /^(?:iso[m2-9]|mp4[12]|avc1|dash|M4V |M4VH|MSNV|3gp|f4v )/.test(brand)
    ? 'video/mp4'
    : undefined;
}

/** Some containers hold sound or pictures and look alike: there the declaration decides. */
function soundOrPicture(sniffed: string, declared: string): string {
  const [, container] = sniffed.split('/');
  const isContainer = container === 'ogg' || container === 'mp4' || container === 'webm';
  const sameContainer = declared === `audio/${container}` || declared === `video/${container}`;
  return isContainer && sameContainer ? declared : sniffed;
}
