/** The order of attempts: both families in turn, IPv6 first, each in the order of the resolver (RFC 8305 §4). */
export function inOrder(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses;
  const v6 = addresses.filter((address) => address.includes(':'));
  const v4 = addresses.filter((address) => !address.includes(':'));
  return Array.from({ length: Math.max(v6.length, v4.length) }, (_, index) => [v6[index], v4[index]]).flat().filter((address) => address !== undefined);
}
