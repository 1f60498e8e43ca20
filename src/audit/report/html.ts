import { createHash } from 'node:crypto';
import { html, Html } from './html-template.ts';
import { pageStyle } from './page-style.ts';
import { timelineSvg } from './timeline-svg.ts';
import type { Fact, ReportItem, ReportSection, SessionReport } from './types.ts';

/**
 * A report as one page that needs nothing else: no script, no request. Its policy allows exactly its own style, so that even a
 * hole in the escaping would run nothing and reach nobody. A policy of a page counts from the `meta` on: it comes first.
 * See https://www.w3.org/TR/CSP3/#meta-element
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

/** Letters that run right to left stay among themselves: https://www.w3.org/International/articles/inline-bidi-markup/ */
function shown(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
