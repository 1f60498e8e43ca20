import { domainToASCII } from 'node:url';
import { type Address, formatAddress, parseV4, parseV6, plainBits } from './address.ts';

/** A host as rules compare it: one spelling for each name and each address. */
export interface Host {
  /** Lower case, no trailing dot, IDNA in ASCII; or the canonical spelling of the address. */
  readonly text: string;
  /** Set if the host is an address. */
  readonly address?: Address;
}

export interface HostAndPort {
  /** A name or an address in any spelling. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** RFC 1035 allows 253 characters in a name and 63 in a label. */
const longestName = 253;
const longestLabel = 63;

/**
 * Returns a host name or an address in the one form that rules match. Undefined for empty or over-long labels, NUL,
 * blanks, control characters, wildcards, ports and credentials.
 */
export function normaliseHost(text: string): Host | undefined {
  if (text.length === 0 || text.length > longestName + 260) return undefined;
  if (isPlainName(text)) return { text };
  const bits = plainBits(text);
  if (bits !== undefined) return { text, address: { kind: 'v4', bits } };
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (bare.includes(':')) return hostOfAddress(parseV6(bare));
  return bare === text ? hostOfName(text) : undefined;
}

/**
 * The usual case, already normal: lower-case letters, digits, hyphens and single dots. The last label starts with a
 * letter, because `0xab` is an address.
 */
function isPlainName(text: string): boolean {
  if (text.length > longestName) return false;
  let label = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x2e) {
      if (at === label || at - label > longestLabel) return false;
      label = at + 1;
    } else if (!isPlain(unit)) return false;
  }
  return text.length - label <= longestLabel && isLetter(text.charCodeAt(label));
}

function isPlain(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2d;
}

function isLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

function hostOfName(text: string): Host | undefined {
  const ascii = asciiOf(text);
  if (ascii === undefined) return undefined;
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  const v4 = parseV4(name);
  if (v4 === 'invalid') return undefined;
  if (v4 !== undefined) return hostOfAddress(v4);
  return isName(name) ? { text: name } : undefined;
}

/**
 * `domainToASCII` percent-decodes and cuts at `/`, so characters that it would reinterpret are refused first. The name
 * that is checked must be the name that is used.
 */
function asciiOf(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- refuses control characters
  if (/[\u0000-\u0020\u007f-\u00a0%/\\:@?#[\]*<>^|"'`{}&$!;,()+=~]/.test(text) || !text.isWellFormed())
    return undefined;
  // oxlint-disable-next-line no-control-regex -- the ASCII range
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  const ascii = domainToASCII(text);
  return ascii === '' ? undefined : ascii;
}

function isName(name: string): boolean {
  if (name.length === 0 || name.length > longestName) return false;
  return name.split('.').every((label) => label.length <= longestLabel && /^[a-z0-9_-]+$/.test(label));
}

function hostOfAddress(address: Address | undefined): Host | undefined {
  return address === undefined ? undefined : { text: formatAddress(address), address };
}
