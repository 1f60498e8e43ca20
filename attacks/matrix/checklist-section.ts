import { attackPath } from '../runner/attack.ts';
import { checklist, type Box } from './checklist.ts';

/** The boxes by number, each with its evidence. */
export function checklistSection(): readonly string[] {
  const covered = checklist.filter(isShown).length;
  return [
    '## Checklist',
    '',
    `The ${checklist.length} items of the catalogue's checklist, in our words. An attack or a test shows ${covered} of them. The last column gives the reason for the others, and for items that hold in part.`,
    '',
    '| | Gate | Item | Shown by | Gap |',
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
