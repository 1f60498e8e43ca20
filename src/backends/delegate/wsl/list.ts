export interface WslDistribution {
  readonly name: string;
  readonly version: 1 | 2;
  readonly isDefault: boolean;
}

/** What wsl.exe prints: UTF-16LE, or UTF-8 where `WSL_UTF8` is understood, each with or without a byte order mark. Never throws. */
export function decodeWslOutput(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || bytes.subarray(0, 256).some((byte, at) => byte === 0 && at % 2 === 1);
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** WSL itself allows no other names: whoever sees one is not talking to it. */
const nameShape = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/u;
const mostLines = 1000;

/**
 * The table of `wsl.exe --list --verbose`: a mark, the name, the state and the version. The heading and the states are in the
 * language of Windows, so that only the shape of a line counts.
 */
export function parseDistributions(text: string): readonly WslDistribution[] {
  return text.split(/\r?\n/u, mostLines).flatMap((line): readonly WslDistribution[] => {
    const words = line.trim().split(/\s+/u);
    const isDefault = words[0] === '*';
    const [name = '', ...rest] = isDefault ? words.slice(1) : words;
    const version = rest.at(-1);
    return rest.length >= 2 && nameShape.test(name) && (version === '1' || version === '2') ? [{ name, version: version === '1' ? 1 : 2, isDefault }] : [];
  });
}
