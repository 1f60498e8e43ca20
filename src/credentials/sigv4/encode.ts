/** Everything but unreserved characters as `%XX`. `octets` has one code point for each byte. Source: IAM User Guide, "UriEncode()". */
export function uriEncode(octets: string): string {
  return octets.replaceAll(/[^\w.~-]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** One code point for each byte. What is no escape stays. */
export function uriDecode(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

