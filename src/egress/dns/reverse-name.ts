import { normaliseHost } from '../../policy/index.ts';

const suffixV4 = '.in-addr.arpa';
const suffixV6 = '.ip6.arpa';

/** The address that `4.3.2.1.in-addr.arpa` or its IPv6 counterpart asks about (RFC 1035 §3.5, RFC 3596 §2.5); undefined for other names. */
export function reversedAddress(name: string): string | undefined {
  if (name.endsWith(suffixV4)) return reversedV4(name.slice(0, -suffixV4.length).split('.'));
  return name.endsWith(suffixV6) ? reversedV6(name.slice(0, -suffixV6.length).split('.')) : undefined;
}

function reversedV4(labels: readonly string[]): string | undefined {
  if (labels.length !== 4 || !labels.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256)) return undefined;
  return labels.toReversed().join('.');
}

function reversedV6(labels: readonly string[]): string | undefined {
  if (labels.length !== 32 || !labels.every((label) => /^[\da-f]$/.test(label))) return undefined;
  const digits = labels.toReversed().join('');
  return normaliseHost((digits.match(/.{4}/g) ?? []).join(':'))?.text;
}
