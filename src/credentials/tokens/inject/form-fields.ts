/**
 * Replaces values of a form (`application/x-www-form-urlencoded`), however often a name is there, and leaves every other
 * byte as it is. `replacement` is asked for each field in order and gives undefined for what stays.
 * Source: WHATWG URL §5.1.
 */
export function replaceFields(text: string, replacement: (name: string, value: string) => string | undefined): string {
  return text
    .split('&')
    .map((field) => {
      const [[name, value] = ['', '']] = new URLSearchParams(field);
      const replaced = replacement(name, value);
      return replaced === undefined ? field : new URLSearchParams([[name, replaced]]).toString();
    })
    .join('&');
}
