const opening = '-----BEGIN CERTIFICATE-----';
const closing = '-----END CERTIFICATE-----';

/** A certificate with 16-bit RSA keys and a hundred names stays below this. */
const largest = 65_535 + 4;

/**
 * The certificates of a bundle in DER, each once, in order. Comments, keys and blocks that are no DER of the right
 * length are left out; what is in a certificate is not looked at, because bundles of 150 are read while a box starts.
 */
export function certificatesIn(pem: string): readonly Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (let start = pem.indexOf(opening); start !== -1; start = pem.indexOf(opening, start + opening.length)) {
    const end = pem.indexOf(closing, start);
    if (end === -1) break;
    const bytes = Buffer.from(pem.slice(start + opening.length, end), 'base64');
    if (isWhole(bytes)) found.set(bytes.toString('latin1'), bytes);
  }
  return [...found.values()];
}

/** Whether there is any, without reading them. */
export function holdsCertificate(pem: string): boolean {
  return pem.includes(opening);
}

export function toPem(certificate: Uint8Array): string {
  const lines = Buffer.from(certificate)
    .toString('base64')
    .replace(/.{1,64}/gu, '$&\n');
  return `${opening}\n${lines}${closing}\n`;
}

/** A sequence with a length of two bytes, and exactly that long. */
function isWhole(bytes: Buffer): boolean {
  return (
    bytes.length > 4 &&
    bytes.length <= largest &&
    bytes.readUInt16BE(0) === 0x30_82 &&
    bytes.readUInt16BE(2) === bytes.length - 4
  );
}
