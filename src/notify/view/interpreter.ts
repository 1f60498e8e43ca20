/** What the kernel runs a script with: `#!` in its first line. */
export interface Interpreter {
  /** As written; relative ones start at the working directory. */
  readonly path: string;
  /** All that follows is one word. */
  readonly argument?: string;
}

/** As many bytes as the kernel looks at: `BINPRM_BUF_SIZE`. */
export const interpreterBytes = 256;

/** Of the first bytes of a file, as latin1. */
export function interpreterOf(start: string): Interpreter | undefined {
  if (!start.startsWith('#!')) return undefined;
  const [line = ''] = start.slice(2, interpreterBytes).split('\n', 1);
  const found = /^[ \t]*([^ \t\0]+)(?:[ \t]+([^\0]*))?/u.exec(line);
  if (found?.[1] === undefined) return undefined;
  const argument = found[2]?.replace(/[ \t]+$/u, '');
  return { path: found[1], ...(argument === undefined || argument === '' ? {} : { argument }) };
}
