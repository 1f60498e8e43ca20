/** An address as a number, so that all its spellings compare equal. */
export type Address = AddressV4 | AddressV6;

export interface AddressV4 {
  readonly kind: 'v4';
  /** Unsigned 32 bits. */
  readonly bits: number;
}

export interface AddressV6 {
  readonly kind: 'v6';
  /** Eight groups of 16 bits. */
  readonly groups: readonly number[];
}

const groupCount = 8;

/**
 * Reads every spelling that `inet_aton` takes (`127.1`, `0x7f000001`, `0177.0.0.1`, `2130706433`), because a program
 * may pass any of them to the system. `invalid` if the text ends in a number but is not an address. Resolvers disagree
 * about such names, so they are refused (WHATWG URL, "ends in a number").
 */
export function parseV4(text: string): AddressV4 | 'invalid' | undefined {
  const plain = plainBits(text);
  if (plain !== undefined) return { kind: 'v4', bits: plain };
  const parts = text.split('.');
  const last = parts[parts.length - 1] ?? '';
  if (!/^(?:\d+|0[xX][\da-fA-F]*)$/.test(last)) return undefined;
  if (parts.length > 4) return 'invalid';
  let bits = 0;
  for (const [index, part] of parts.entries()) {
    const value = numberOf(part);
    const room = index === parts.length - 1 ? 256 ** (4 - index) : 256;
    if (value === undefined || value >= room) return 'invalid';
    bits = index === parts.length - 1 ? bits * room + value : bits * 256 + value;
  }
  return { kind: 'v4', bits };
}

/**
 * Reads an IPv6 address without brackets. Drops a zone (`%eth0`), and returns the IPv4 address of a mapped one
 * (`::ffff:1.2.3.4`).
 */
export function parseV6(text: string): Address | undefined {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  if (!address.includes(':')) return undefined;
  const halves = address.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? '', halves.length === 1 ? 'may end in dots' : 'hexadecimal');
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', 'may end in dots') : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = groupCount - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return unmapped([...head, ...Array<number>(missing).fill(0), ...tail]);
}

/** Returns the canonical spelling: dotted decimal, or RFC 5952. */
export function formatAddress(address: Address): string {
  if (address.kind === 'v6') return formatV6(address.groups);
  return [24, 16, 8, 0].map((shift) => (address.bits >>> shift) & 255).join('.');
}

/**
 * Returns the bits of a canonical spelling: four decimal numbers without leading zeros. Undefined for every other
 * spelling.
 */
export function plainBits(text: string): number | undefined {
  let bits = 0;
  let part = 0;
  let digits = 0;
  let parts = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39 && !(digits > 0 && part === 0)) {
      part = part * 10 + unit - 0x30;
      digits += 1;
    } else if ((unit === 0x2e || at === text.length) && digits > 0 && part <= 255) {
      [bits, parts, part, digits] = [bits * 256 + part, parts + 1, 0, 0];
    } else return undefined;
  }
  return parts === 4 ? bits : undefined;
}

function numberOf(part: string): number | undefined {
  if (/^0[xX][\da-fA-F]*$/.test(part)) return part.length === 2 ? 0 : Number(part);
  if (/^0[0-7]+$/.test(part)) return Number.parseInt(part, 8);
  return /^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : undefined;
}

/** Only the very end of an address may be in IPv4 form. */
function groupsOf(half: string, form: 'hexadecimal' | 'may end in dots'): number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  const words = half.split(':');
  for (const [index, word] of words.entries()) {
    if (form === 'may end in dots' && word.includes('.') && index === words.length - 1) {
      if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(word)) return undefined;
      const v4 = parseV4(word);
      if (v4 === undefined || v4 === 'invalid') return undefined;
      groups.push(v4.bits >>> 16, v4.bits & 0xffff);
    } else {
      if (!/^[\da-fA-F]{1,4}$/.test(word)) return undefined;
      groups.push(Number.parseInt(word, 16));
    }
  }
  return groups;
}

/** `::ffff:0:0/96` reaches the IPv4 address itself, so a rule about that address has to match. */
function unmapped(groups: readonly number[]): Address {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return { kind: 'v6', groups };
  return { kind: 'v4', bits: (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0) };
}

function formatV6(groups: readonly number[]): string {
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let at = 0; at <= groups.length; at += 1) {
    if (groups[at] === 0) continue;
    if (at - start > best.length) best = { start, length: at - start };
    start = at + 1;
  }
  return best;
}
