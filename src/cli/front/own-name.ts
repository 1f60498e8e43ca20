import { isatty } from 'node:tty';
import process from 'node:process';

/** What the front says by the name that it starts Node by: native/src/front/node.c and native/src/hook/node.c. */
const said = /^holdfast(?<lonely>-front)?(?<served>-served)?(?<terminal>-tty)?$/u.exec(process.argv0)?.groups;

/** Whether the front would have asked a supervisor if one were there. */
export function wantsResident(): boolean {
  return said?.['lonely'] !== undefined;
}

/** Whether this process serves the one run of its parent. */
export function isServing(): boolean {
  return said?.['served'] !== undefined;
}

/** Whether stderr is a terminal. The front has looked: Node takes 3 ms to load what looks. */
export function stderrIsTerminal(): boolean {
  return isServing() ? said?.['terminal'] !== undefined : isatty(2);
}
