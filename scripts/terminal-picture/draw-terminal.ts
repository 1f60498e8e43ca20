/** A line of a terminal, and the time of its arrival. */
export interface TimedLine {
  /** With SGR sequences for colours and bold (ECMA-48, 8.3.117); other escape sequences are dropped. */
  readonly text: string;
  /** Milliseconds since the beginning. */
  readonly at: number;
}

const lineHeight = 19;
const characterWidth = 7.83;
export const columns = 104;
const margin = 18;
/** Milliseconds that the whole picture stays before it starts again. */
const rest = 6000;

/**
 * An SVG in which each line appears at its time. It repeats, and shows everything at once to readers who prefer less
 * motion.
 */
export function drawTerminal(title: string, recorded: readonly TimedLine[]): string {
  const lines = recorded.flatMap(({ text, at }) => wrap(text).map((part) => ({ text: part, at })));
  const duration = Math.max(0, ...lines.map(({ at }) => at)) + rest;
  const height = lines.length * lineHeight + 2 * margin;
  const width = Math.ceil(columns * characterWidth) + 2 * margin;
  const moments = [...new Set(lines.map(({ at }) => at))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" role="img" aria-label="${escapeXml(title)}">`,
    '<style>',
    `text { fill: #e6e8ec; white-space: pre } .bold { font-weight: 700 } .red { fill: #ff8a80 } .green { fill: #8ce99a } .yellow { fill: #ffd866 } .cyan { fill: #7fdbff } .magenta { fill: #d0a8ff } .gray { fill: #98a2b3 }`,
    '@media (prefers-reduced-motion: no-preference) {',
    ...moments.map(
      (at, index) =>
        `@keyframes k${index} { 0%, ${share(at, duration)}% { opacity: 0 } ${share(at + 1, duration)}%, 100% { opacity: 1 } } .t${index} { animation: k${index} ${duration}ms step-end infinite }`,
    ),
    '}',
    '</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#1b1f27"/>`,
    ...lines.map(
      ({ text, at }, row) =>
        `<text class="t${moments.indexOf(at)}" x="${margin}" y="${margin + 13 + row * lineHeight}">${spans(text)}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n');
}

function share(at: number, duration: number): string {
  return ((100 * at) / duration).toFixed(2);
}

const colours: Readonly<Record<string, string>> = {
  1: 'bold',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
  90: 'gray',
};
// oxlint-disable-next-line no-control-regex -- SGR begins with a control character
const sgr = /\u001B\[([\d;]*)m/u;
// oxlint-disable-next-line no-control-regex -- so do all others
const otherSequence = /\u001B(?:\[[\d;?]*[A-Za-ln-z]|\][^\u0007]*\u0007|[()][A-B0-2])/gu;

function spans(text: string): string {
  let classes: readonly string[] = [];
  return text
    .split(new RegExp(sgr, 'u'))
    .map((part, index) => {
      if (index % 2 === 0)
        return part === ''
          ? ''
          : `<tspan${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''}>${escapeXml(part)}</tspan>`;
      const codes = part.split(';').filter((code) => code !== '' && code !== '0');
      classes = codes.length === 0 ? [] : [...classes, ...codes.flatMap((code) => colours[code] ?? [])];
      return '';
    })
    .join('');
}

/** Breaks at spaces, if there are any. Sequences take no column. */
function wrap(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text.replaceAll(otherSequence, '').replaceAll('\r', '').trimEnd();
  const indent = /^ */u.exec(rest)?.[0] ?? '';
  while (rest.replaceAll(new RegExp(sgr, 'gu'), '').length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > indent.length ? space : columns;
    parts.push(rest.slice(0, end));
    rest = `${indent}${rest.slice(end).trimStart()}`;
  }
  return [...parts, rest];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
