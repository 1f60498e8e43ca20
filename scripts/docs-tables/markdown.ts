/** A Markdown table. Cells are text, not Markdown, except for the results of `code`. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

/** Names as code, separated by blanks at which a browser may break. */
export function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}

/** Groups in the order of their first item. */
export function groupedBy<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
