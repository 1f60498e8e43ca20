export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Columns are as wide as their widest cell. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines
    .map((line) =>
      columns
        .map(({ align }, index) => pad(line[index] ?? '', widths[index] ?? 0, align))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(text: string, width: number, align: Column['align']): string {
  return align === 'left' ? text.padEnd(width) : text.padStart(width);
}
