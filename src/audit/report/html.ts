import { createHash } from 'node:crypto';
import { escapeHidden } from '../../text/escape-hidden.ts';
import {
  type Fact,
  lanes,
  type TimelineMark,
  type ReportItem,
  type ReportSection,
  type SessionReport,
  type Timeline,
  type Tone,
} from './types.ts';

/**
 * Returns a report as one self-contained page: no script, no request. Its content security policy allows only its own
 * style, so even a hole in the escaping would run nothing and contact no server. The policy comes first, because it
 * applies only after its `meta`. See https://www.w3.org/TR/CSP3/#meta-element
 */
export function* reportHtml({ session, facts, sections, timeline }: SessionReport): Generator<string, void, undefined> {
  yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>Holdfast session ${session}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<h1>Session ${shown(session)}</h1>
${factList(facts)}
`.text;
  if (timeline.marks.length > 0) yield html`<h2>Timeline</h2>\n${timelineSvg(timeline)}\n`.text;
  for (const section of sections) yield* sectionHtml(section);
  yield '</body>\n</html>\n';
}

/** Style of the page. The policy names its hash. A mark's shape carries the same meaning as its colour. */
const pageStyle = `
:root { color-scheme: light dark; --calm: #6b7280; --asked: #b45309; --refused: #b91c1c; --alarm: #7e22ce; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --calm: #9ca3af; --asked: #fbbf24; --refused: #f87171; --alarm: #c084fc; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 0; }
h1, h3, dd { overflow-wrap: anywhere; }
h3, dd { font-family: ui-monospace, monospace; }
dl { margin: .25rem 0; } dl div { display: flex; gap: .75rem; } dt { flex: 0 0 8rem; color: var(--calm); } dd { margin: 0; white-space: pre-wrap; }
article { border-left: 4px solid var(--calm); padding: .25rem .75rem; margin: .75rem 0; }
article.asked { border-color: var(--asked); } article.refused { border-color: var(--refused); } article.alarm { border-color: var(--alarm); }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: currentColor; }
svg line { stroke: var(--line); }
.mark.calm { fill: var(--calm); } .mark.asked { fill: var(--asked); } .mark.refused { fill: var(--refused); } .mark.alarm { fill: var(--alarm); }
`;

const contentPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`;

function* sectionHtml({ title, items, left }: ReportSection): Generator<string, void, undefined> {
  yield html`<h2>${title}</h2>\n`.text;
  for (const item of items) yield itemHtml(item).text;
  if (left > 0) yield html`<p>and ${left} entries of further ones</p>\n`.text;
}

function itemHtml({ title, tone, facts }: ReportItem): Html {
  return html`<article class="${tone}">
<h3>${shown(title)}</h3>
${factList(facts)}
</article>
`;
}

function factList(facts: readonly Fact[]): Html {
  return html`<dl>
${facts.map(({ label, text }) => html`<div><dt>${label}</dt><dd>${shown(text)}</dd></div>\n`)}</dl>`;
}

/** Isolates letters that run right to left: https://www.w3.org/International/articles/inline-bidi-markup/ */
function shown(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

const width = 960;
const labelWidth = 130;
const laneHeight = 26;
const margin = 12;

/** Returns the timeline as a picture: a row for each lane with marks, and a text for each mark under the pointer. */
function timelineSvg({ from, to, marks }: Timeline): Html {
  const used = lanes.filter((lane) => marks.some((mark) => mark.lane === lane));
  const height = used.length * laneHeight + 2 * margin;
  const span = Math.max(1, to - from);
  const place = ({ at, lane }: TimelineMark): Point => ({
    x: round(labelWidth + ((at - from) / span) * (width - labelWidth - margin)),
    y: rowOf(used.indexOf(lane)),
  });
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

function markSvg({ tone, at, entries, title }: TimelineMark, { x, y }: Point): Html {
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

/** HTML made by this file. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Hole = string | number | Html | readonly Html[];

/**
 * A piece of HTML. A hole holds text, in content or in a quoted attribute. Hidden characters are made visible, and
 * every character that a parser would interpret is escaped. `Html` passes unchanged.
 */
export function html(pieces: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(
    pieces.map((piece, index) => piece + (index < holes.length ? htmlText(holes[index] as Hole) : '')).join(''),
  );
}

function htmlText(hole: Hole): string {
  if (hole instanceof Html) return hole.text;
  if (typeof hole === 'object') return hole.map(({ text }) => text).join('');
  return escapeHidden(String(hole)).replaceAll(/[&<>"'`]/gu, (character) => `&#${character.charCodeAt(0)};`);
}
