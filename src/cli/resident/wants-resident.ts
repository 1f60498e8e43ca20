import process from 'node:process';

/** By its own name the front says that it has found no supervisor: native/src/front/node.c and native/src/hook/node.c. */
const lonelyFront = 'holdfast-front';

/** Whether the front would have asked a supervisor if one were there. */
export function wantsResident(): boolean {
  return process.argv0 === lonelyFront;
}
