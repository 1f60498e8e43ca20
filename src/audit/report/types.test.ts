import { assert, constantFrom, oneof, property, string } from 'fast-check';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { entriesOf } from '../testing/entries.ts';
import { everyEvent } from '../testing/every-event.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { elementsOf, textOf } from '../testing/page.ts';
import { collectReport } from './collect-report.ts';
import { reportMarkdown } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const renderers: readonly (readonly [string, (markdown: string) => string])[] = [
  ['marked', (markdown) => marked.parse(markdown, { async: false, gfm: true })],
  ['markdown-it', (markdown) => new MarkdownIt({ html: true, linkify: true }).render(markdown)],
];

function markdownOf(text: string): string {
  return [...reportMarkdown(collectReport({ session: 's-1', entries: entriesOf(everyEvent('s-1', text)) }))].join('');
}

const ours = new Set(['html', 'head', 'body', 'h1', 'h2', 'ul', 'li', 'p', 'code', 'strong']);

function expectOnlyText(text: string, render: (markdown: string) => string): void {
  const page = render(markdownOf(text));
  expect([...new Set(elementsOf(page).map(({ tagName }) => tagName))].filter((name) => !ours.has(name))).toEqual([]);
  expect(elementsOf(page).flatMap(({ attrs }) => attrs)).toEqual([]);
  // A code span loses blanks at both ends: https://spec.commonmark.org/0.31.2/#code-spans
  expect(textOf(page).replaceAll(/\s+/gu, ' ')).toContain(escapeHidden(text).trim().replaceAll(/\s+/gu, ' '));
}

describe.each(renderers)('%s shows a report', (_name, render) => {
  test.each(hostileTexts)('with %j as text', (text) => {
    expectOnlyText(text, render);
  });

  test('with any text as text', () => {
    const hostile = oneof(
      string({ unit: 'binary', maxLength: 20 }),
      string({
        unit: constantFrom(
          '`',
          '\\',
          '<',
          'b',
          '>',
          '[',
          ']',
          '(',
          ')',
          '!',
          '*',
          '_',
          '|',
          '\n',
          ' ',
          '&',
          ';',
          '#',
          '-',
          '=',
          '"',
          "'",
        ),
        maxLength: 20,
      }),
    );
    assert(
      property(hostile, (text) => expectOnlyText(text, render)),
      { numRuns: rounds(60) },
    );
  });
});

test('a report has nothing that moves a cursor or turns letters around', () => {
  for (const text of hostileTexts)
    expect(markdownOf(text)).not.toMatch(/[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E007F}]|\p{Cs}/u);
});
