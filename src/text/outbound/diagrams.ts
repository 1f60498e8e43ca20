/** Languages of fenced blocks that are drawn, not shown. */
const drawn = /mermaid|math|latex|\btex\b|katex|plantuml|puml|\buml\b|\bdot\b|graphviz|vega|geojson|topojson|\bstl\b|svgbob|nomnoml|ditaa|d2|excalidraw|chart|flow|sequence|\babc\b|kroki|embed|iframe|wavedrom|markmap|infographic|html-preview|\bpikchr\b/iu;

/** What could load, link or configure in any of them. */
const reaching = /\/\/|:\s*\/|url|@import|img|image|click|href|link|src|%%\{|theme|config|include|icon|script|&[a-z#]|#\w+;|\\(?!n)|<(?!br\s*\/?>|\||-|<)|\bcall\b|---\s*[\r\n]/iu;

/**
 * Whether a fenced block stays a picture: it is none at all, or nothing in it could reach anything. `info` is what stands
 * behind its opening marks.
 */
export function staysDrawn(info: string, body: string): boolean {
  return !isDrawn(info) || !reaching.test(body);
}

/** Written with references or backslashes, a language is what it decodes to: that is taken for one that is drawn. */
export function isDrawn(info: string): boolean {
  return drawn.test(info) || /[&\\{]/u.test(info);
}
