import { isatty } from 'node:tty';
import process from 'node:process';

/**
 * The front passes flags in the name under which it starts Node: native/src/front/node.c and native/src/hook/node.c.
 */
const said = /^holdfast(?<lonely>-front)?(?<served>-served)?(?<terminal>-tty)?$/u.exec(process.argv0)?.groups;

/** Returns whether the front would have used a supervisor if there were one. */
export function wantsResident(): boolean {
  return said?.['lonely'] !== undefined;
}

/** Returns whether this process serves the single run of its parent. */
export function isServing(): boolean {
  return said?.['served'] !== undefined;
}

/** Returns whether stderr is a terminal. The front has checked: Node takes 3 ms to load its check. */
export function stderrIsTerminal(): boolean {
  return isServing() ? said?.['terminal'] !== undefined : isatty(2);
}
