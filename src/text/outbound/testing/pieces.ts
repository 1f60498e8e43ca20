import * as fc from 'fast-check';

/** What messages are put together from, so that constructs begin, end and interrupt each other. */
export const piece = fc.constantFrom(
  '![', '[', ']', '](', ')', ']:', '][', '<', '>', '"', "'", '`', '``', '```', '```\n', '\n```\n', '~~~', '\n', '\n\n', ' ', '    ', '\t', '> ', '- ', '1. ', '|', '\\', '*', '_', '$', '\r', '&#58;', '&sol;', '&', ';',
  'https://', '//', 'evil.test', '/x', 'https://evil.test/x', 'https://ok.example.com', 'https://ok.example.com/', 'www.evil.test', '[r]: ', '[r]', 'javascript:', 'data:text/html,', '@', '.', ':', '(', '%', '#',
  '<img src=', '<img src="//evil.test/">', '<a href="', '<a title="', '<div>', '</div>', '<pre>', '<!--', '-->', '<script>', '<b>', '<br>', '<svg>', ' src=', 'a', 'mermaid', '---\n', '$$\n', ':::\n', '\u00a0', '\0', '\u2028', '\x0b',
);
