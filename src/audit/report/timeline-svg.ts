import { html, type Html } from './html-template.ts';
import { lanes, type Mark, type Timeline, type Tone } from './types.ts';

const width = 960;
const labelWidth = 130;
const laneHeight = 26;
const margin = 12;

/** The timeline as a picture: a row for each lane that has marks, and a text for each mark under the pointer. */
export function timelineSvg({ from, to, marks }: Timeline): Html {
  const used = lanes.filter((lane) => marks.some((mark) => mark.lane === lane));
  const height = used.length * laneHeight + 2 * margin;
  const span = Math.max(1, to - from);
  const place = ({ at, lane }: Mark): Point => ({ x: round(labelWidth + ((at - from) / span) * (width - labelWidth - margin)), y: rowOf(used.indexOf(lane)) });
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="timeline from ${timeText(from)} to ${timeText(to)}">
${used.map((lane, row) => html`<line x1="${labelWidth}" x2="${width - margin}" y1="${rowOf(row)}" y2="${rowOf(row)}"/><text x="0" y="${rowOf(row) + 4}">${lane}</text>\n`)}${marks.map((mark) => markSvg(mark, place(mark)))}<text x="${labelWidth}" y="${height - 2}">${timeText(from)}</text><text x="${width - margin}" y="${height - 2}" text-anchor="end">${timeText(to)}</text>
</svg>`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const shapes: Readonly<Record<Tone, string>> = {
  calm: 'm-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0',
  asked: 'm0,-5l5,5l-5,5l-5,-5z',
  refused: 'm-4,-4h8v8h-8z',
  alarm: 'm0,-6l6,10h-12z',
};

function markSvg({ tone, at, entries, title }: Mark, { x, y }: Point): Html {
  return html`<path class="mark ${tone}" d="M${x},${y}${shapes[tone]}"><title>${timeText(at)} ${entries > 1 ? `${entries} entries from ` : ''}${title}</title></path>\n`;
}

function rowOf(row: number): number {
  return margin + row * laneHeight + laneHeight / 2 - 4;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
