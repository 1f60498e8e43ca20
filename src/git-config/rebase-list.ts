/**
 * As git reads a line of a todo list: sequencer.c, `parse_insn_line`. Only a newline ends one, so a command may hold
 * carriage returns.
 */
const execLine = /^[ \t]*(?:exec|x)(?:[ \t]+(.*))?$/su;

/** The commands that `git rebase --continue` would run, in a shell. */
export function execCommands(todo: string): readonly string[] {
  return todo.split('\n').flatMap((line) => {
    const command = execLine.exec(line.replace(/\r$/u, ''))?.[1];
    return command === undefined || isBoxed(line) ? [] : [command];
  });
}

/** The same list, in which these commands run in a box, also when a person goes on outside. */
export function boxedRebase(todo: string, commands: readonly string[]): string {
  const lines = todo.split('\n').map((line) => {
    const command = execLine.exec(line.replace(/\r$/u, ''))?.[1];
    return command === undefined || !commands.includes(command) || isBoxed(line) ? line : boxedLine(command);
  });
  return lines.join('\n');
}

/**
 * The same line for a person who goes on outside: its command then runs in a box, and in a box as it was. The shell reads
 * the command last and in quotes, so nothing in it changes the words before.
 */
function boxedLine(command: string): string {
  const quoted = `'${command.replaceAll("'", String.raw`'\''`)}'`;
  return `exec test -n "$HOLDFAST" || exec holdfast run -- sh -c ${quoted}; ${command}`;
}

/** Walks from the end: a longer command makes a longer line, so one length alone can fit. */
function isBoxed(line: string): boolean {
  for (let length = 0, quotes = 0; length <= line.length; length += 1) {
    const whole = frame + 2 * length + 3 * quotes;
    if (whole >= line.length) return whole === line.length && boxedLine(line.slice(line.length - length)) === line;
    if (line.at(-1 - length) === "'") quotes += 1;
  }
  return false;
}

const frame = boxedLine('').length;
