import { describe, expect, test } from 'vitest';
import { isDrawn, staysDrawn } from './markdown.ts';

describe('languages that renderers draw', () => {
  const languages =
    'mermaid math latex tex katex plantuml puml uml dot graphviz vega vega-lite geojson topojson stl svgbob nomnoml ditaa d2 excalidraw chart flow flowchart sequence abc kroki embed iframe wavedrom markmap infographic html-preview pikchr chart.js';

  test.each(languages.split(' '))('%s', (language) => {
    for (const info of [language, language.toUpperCase(), ` ${language}`, `${language} title="x"`, `.${language}`])
      expect(isDrawn(info)).toBe(true);
  });

  test.each(['{.x}', 'm&#101;rmaid', 'm\\ermaid', '{code-cell}'])('%s may become a drawing', (info) => {
    expect(isDrawn(info)).toBe(true);
  });

  test.each([
    '',
    'js',
    'typescript',
    'sh',
    'text',
    'json',
    'html',
    'svg',
    'css',
    'c++',
    'c#',
    'context',
    'vertex',
    'dotenv',
    'anecdote',
    'abcd',
    'xabc',
    'stlx',
    'umlaut',
    'pikchrs',
    'xstl',
  ])('%j is not drawn', (info) => {
    expect(isDrawn(info)).toBe(false);
    expect(staysDrawn(info, '<img src=//evil.test> click href')).toBe(true);
  });
});

describe('bodies of a drawing that could reach a host', () => {
  test.each([
    'https://evil.test',
    '//evil.test',
    'https:/evil.test',
    'https: /evil.test',
    'fill:url(x)',
    'URL',
    '@import x',
    'img: x',
    'A[image]',
    'click A x',
    'href x',
    'link A',
    'src x',
    '%%{init}%%',
    'theme x',
    'config:',
    '!include x',
    'icon: x',
    'script',
    '&lt;',
    '&#60;',
    '#lt;',
    '#60;',
    '\\u003c',
    '\\x3c',
    '<img',
    '<a',
    '<b>',
    '</a',
    '<bra>',
    '< x',
    'call x()',
    '---\ntitle: x',
    '---  \n',
    '---\r',
  ])('%j', (body) => {
    expect(staysDrawn('mermaid', `graph TD\n${body}`)).toBe(false);
    expect(staysDrawn('js', `graph TD\n${body}`)).toBe(true);
  });

  test.each([
    'A-->B',
    'A---B',
    'A <-- B',
    'A <--> B',
    'A <|-- B',
    'A["x<br>y<br/>z<BR />"]',
    'A["a\\nb"]',
    'A & B --> C',
    'a: 1/2',
    'recall callback',
    '# of',
    'a#;b',
    '%% a remark',
    'A@B',
    'x^2_3',
    '&1',
  ])('%j cannot reach one', (body) => {
    expect(staysDrawn('mermaid', `graph TD\n${body}`)).toBe(true);
  });
});
