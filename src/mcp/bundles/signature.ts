/** What signing appends to an archive: a header, the length, the signature, a footer. */
const marks = ['MCPB', 'DXT'].map((name) => ({
  header: Buffer.from(`${name}_SIG_V1`),
  footer: Buffer.from(`${name}_SIG_END`),
}));
const lengthBytes = 4;
/** Of the record that ends an archive, without its comment. */
const endBytes = 22;
const endSign = 0x06054b50;

/**
 * The archive without the signature behind it, which readers of archives take for damage. The signature is
 * not verified. Some signers declare it as the comment of the archive: then it stays.
 */
export function withoutSignature(bytes: Buffer): Buffer {
  for (const { header, footer } of marks) {
    const end = bytes.length - footer.length;
    if (end < 0 || !bytes.subarray(end).equals(footer)) continue;
    const start = bytes.lastIndexOf(header, end);
    const body = start + header.length + lengthBytes;
    if (start < 0 || body > end) continue;
    if (bytes.readUInt32LE(start + header.length) !== end - body) continue;
    return isComment(bytes, start) ? bytes : bytes.subarray(0, start);
  }
  return bytes;
}

function isComment(bytes: Buffer, start: number): boolean {
  const at = start - endBytes;
  if (at < 0 || bytes.readUInt32LE(at) !== endSign) return false;
  return bytes.readUInt16LE(start - 2) === bytes.length - start;
}
