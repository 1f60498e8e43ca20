/** Runs in its own process, which is killed if it takes too much time or memory: see `convert-html.ts`. */
import { text } from 'node:stream/consumers';
import process from 'node:process';
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

const [, , url = ''] = process.argv;

/** Elements that a person does not see. A page would only use them to address models. */
const unseen = [
  'head',
  'title',
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
  'canvas',
  'img',
  'video',
  'audio',
  '[hidden]',
  '[style*="display:none"]',
  '[style*="display: none"]',
  '[style*="visibility:hidden"]',
  '[style*="visibility: hidden"]',
];

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${'#'.repeat(Number(element.name?.slice(1) ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/**
 * The library's own table formatter lays out columns in memory, so a single `colspan` of a billion would end the
 * process.
 */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(' | ');
};

void text(process.stdin).then((html) => process.stdout.write(convert(html, htmlOptions(url))));

function htmlOptions(url: string): HtmlToTextOptions {
  return {
    wordwrap: false,
    // Without U+200B, which the library folds by default. Holdfast's text filter reveals or removes invisible
    // characters instead.
    whitespaceCharacters: ' \t\r\n\f',
    limits: { maxDepth: 500 },
    formatters: { heading, cell },
    selectors: [
      ...unseen.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading' })),
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      {
        selector: 'a',
        options: {
          hideLinkHrefIfSameAsText: true,
          ignoreHref: false,
          pathRewrite: (path: string) => absolute(path, url),
        },
      },
    ],
  };
}

/** Leaves out anchors within the page, and URLs that would run code. */
function absolute(path: string, base: string): string {
  const url = path.startsWith('#') ? null : URL.parse(path, base);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : '';
}
