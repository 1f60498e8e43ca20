/** Elements whose content is no text. */
const silent = ['script', 'style', 'template', 'noscript'];

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };

/** A page without its tags, in time linear in its length whatever it is: the last resort. */
export function stripTags(html: string): string {
  // Of ASCII alone: other letters change their length.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    pieces.push(html.slice(at, open));
    const name = silent.find((element) => lower.startsWith(element, open + 1));
    const content = name === undefined ? open : lower.indexOf(`</${name}`, open);
    const close = content === -1 ? -1 : html.indexOf('>', content);
    if (close === -1) return textOf(pieces);
    pieces.push(' ');
    at = close + 1;
  }
  pieces.push(html.slice(at));
  return textOf(pieces);
}

function textOf(pieces: readonly string[]): string {
  const text = pieces.join('').replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
  return text.split('\n').map((line) => line.replaceAll(/[\t\r\f\v ]+/g, ' ').trim()).filter((line) => line !== '').join('\n');
}
