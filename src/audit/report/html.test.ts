import { createHash } from 'node:crypto';
import { assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { entriesOf } from '../testing/entries.ts';
import { everyEvent } from '../testing/every-event.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { elementsOf, textOf } from '../testing/page.ts';
import { collectReport } from './collect-report.ts';
import { html, reportHtml } from './html.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function pageOf(text: string): string {
  return [
    ...reportHtml(collectReport({ session: 's-1', entries: entriesOf(everyEvent('s-1', text)), journal: text })),
  ].join('');
}

/** The structure of a page without its texts. It must be the same for every text. */
function shapeOf(page: string): readonly string[] {
  return elementsOf(page).map(
    ({ tagName, attrs }) =>
      `${tagName} ${attrs.map(({ name, value }) => (name === 'd' ? name : `${name}=${value}`)).join(' ')}`,
  );
}

const calm = shapeOf(pageOf('name'));

test('a hole is text in a quoted attribute too', () => {
  const { text } = html`<a title="${'" onclick="x'}" lang='${"' id='x"}'>${'<b>&`'}</a>`;
  expect(
    elementsOf(text)
      .filter(({ tagName }) => tagName === 'a' || tagName === 'b')
      .map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name, value }) => [name, value])]),
  ).toEqual([['a', ['title', '" onclick="x'], ['lang', "' id='x"]]]);
  expect(textOf(text)).toContain('<b>&`');
});

function expectOnlyText(text: string): void {
  const page = pageOf(text);
  // Facts with an empty text are left out.
  if (text !== '') expect(shapeOf(page)).toEqual(calm);
  else expect(calm).toEqual(expect.arrayContaining([...shapeOf(page)]));
  expect(textOf(page)).toContain(escapeHidden(text));
}

describe('a page with', () => {
  test.each(hostileTexts)('%j is the page of any other text', (text) => {
    expectOnlyText(text);
  });

  test('any text is the page of any other text', () => {
    const markup = string({
      unit: constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '/',
        '=',
        'script',
        'svg',
        'bdi',
        'title',
        'style',
        'on',
        '!--',
        '-->',
        ']]>',
        ' ',
        '\n',
        ';',
        '#60',
        'a',
      ),
      maxLength: 12,
    });
    assert(property(oneof(markup, string({ unit: 'binary', maxLength: 20 })), expectOnlyText), {
      numRuns: rounds(150),
    });
  });
});

describe('the page', () => {
  const elements = elementsOf(pageOf('name'));
  const attributeOf = (tag: string, name: string): readonly string[] =>
    elements
      .filter(({ tagName }) => tagName === tag)
      .flatMap(({ attrs }) => attrs.filter((attribute) => attribute.name === name).map(({ value }) => value));

  test('has a policy that allows its one style and nothing else, before anything that it is about', () => {
    const style = /<style>(?<text>[^]*?)<\/style>/u.exec(pageOf('name'))?.groups?.['text'] ?? '';
    expect(attributeOf('meta', 'content')[0]).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`,
    );
    const names = elements.map(({ tagName }) => tagName);
    expect(names.indexOf('style')).toBeGreaterThan(names.indexOf('meta') + 1);
  });

  test('names no other resource, and no script', () => {
    expect(elements.map(({ tagName }) => tagName)).not.toEqual(expect.arrayContaining(['script']));
    for (const name of ['src', 'href', 'style', 'srcset', 'action', 'xlink:href'])
      expect(elements.flatMap(({ attrs }) => attrs.filter((attribute) => attribute.name === name))).toEqual([]);
    expect(pageOf('name').replace(/<meta[^>]*>/gu, '')).not.toMatch(/url\(|@import/u);
  });

  test('shows refusals with their grants, and the timeline', () => {
    const text = textOf(pageOf('name'));
    expect(text).toContain('to allow itgrant it');
    expect(elements.filter(({ tagName }) => tagName === 'path').length).toBeGreaterThan(10);
  });
});
