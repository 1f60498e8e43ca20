/** What HTML may stay. Data only: whatever is not here goes. */

/** Elements that show text and nothing else, in messages and pages. */
export const inlineTags: readonly string[] = [
  'a', 'abbr', 'b', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'dd', 'del', 'details', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure',
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong',
  'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'u', 'ul', 'var', 'wbr', 'audio', 'video', 'source',
];

/** In pages only: in markdown `pre` would make HTML of code that stands behind it. */
export const pageTags: readonly string[] = [...inlineTags, 'address', 'article', 'aside', 'body', 'footer', 'header', 'html', 'main', 'nav', 'pre', 'section'];

/** Elements whose content is no text of the page, or lives by rules of its own. In pages they go with it. */
export const opaqueTags: readonly string[] = ['script', 'style', 'svg', 'math', 'iframe', 'object', 'template', 'noscript', 'noembed', 'noframes', 'title', 'textarea', 'xmp', 'select', 'head', 'frameset', 'applet', 'portal', 'canvas'];

/** Attributes that say nothing but how text is laid out and described. */
export const plainAttributes: readonly string[] = ['align', 'alt', 'colspan', 'dir', 'height', 'lang', 'open', 'reversed', 'rowspan', 'start', 'title', 'type', 'valign', 'width', 'controls'];

/** Attributes that name a URL, by element. No other element keeps one. */
export const urlAttributes: Readonly<Record<string, readonly string[]>> = { a: ['href'], img: ['src'], video: ['src', 'poster'], audio: ['src'], source: ['src'] };

/** Dropped without a word. */
export const idleAttributes: readonly string[] = ['class', 'id', 'rel', 'target', 'name', 'role', 'loading', 'decoding'];
