import { attackPath } from '../runner/attack.ts';
import { checklist, type Box } from './checklist.ts';

/** The boxes by number, each with what shows it. */
export function checklistSection(): readonly string[] {
  const covered = checklist.filter(isShown).length;
  return [
    '## Checklist',
    '',
    `The ${checklist.length} boxes of the checklist that goes with the catalogue, in our words. ${covered} have an attack or a test that shows them; of the others, and of those that hold in part, it says why.`,
    '',
    '| | Gate | Box | Shown by | Not, or in part |',
    '| --- | --- | --- | --- | --- |',
    ...checklist.map(
      (box, index) => `| ${index + 1} | ${box.gate} | ${box.what} | ${proofs(box)} | ${box.gap ?? ''} |`,
    ),
  ];
}

export function isShown({ attacks, tests }: Box): boolean {
  return attacks.length + tests.length > 0;
}

function proofs({ attacks, tests }: Box): string {
  const links = [
    ...attacks.map((attack) => `[\`${attack}\`](../attacks/${attackPath(attack)})`),
    ...tests.map((test) => `[\`${test}\`](../${test})`),
  ];
  return links.length === 0 ? 'not covered' : links.join(', ');
}
