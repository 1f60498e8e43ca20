/** One `name=value` of a `Cookie` field. */
export interface Crumb {
  readonly name: string;
  /** Name and value as they were sent. */
  readonly text: string;
}

export function cookiesOf(line: string): readonly Crumb[] {
  return line
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ name: (text.split('=', 1)[0] ?? '').trim(), text }));
}
