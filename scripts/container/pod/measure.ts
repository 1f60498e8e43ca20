/**
 * Writes the changes that podman needs, and the attacks inside a played pod, into `docs/kubernetes-podman.md`.
 * usage: node scripts/container/pod/measure.ts [OPTIONS of the attacks' runner], as root; default: a sample
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { podChanges } from './changes.ts';
import { attackInPod, type PodAttacks, PodScene } from './scene.ts';

const page = resolve(import.meta.dirname, '../../../docs/kubernetes-podman.md');
const given = process.argv.slice(2);
const options = given.length === 0 ? ['--cases', '1', '--sample'] : given;

await using scene = await PodScene.open();
const attacks = attackInPod(scene, options);
const text = readFileSync(page, 'utf8');
writeFileSync(
  page,
  [changes, outcomes].reduce((before, write) => write(before), text),
);
for (const { name, backend, outcome } of attacks.results)
  if (outcome.kind === 'failed') console.log(`FAILED ${name} (${backend})`, outcome.reasons);
console.log(attacks.totals);

function changes(before: string): string {
  const rows = podChanges.map(
    ({ field, podman, change, weakens }) => `| ${field} | ${podman} | ${change} | ${weakens} |`,
  );
  return between(before, 'changes', ['| field | podman 4.3.1 | change | weaker |', '|---|---|---|---|', ...rows]);
}

function outcomes(before: string): string {
  const held = [...new Set(attacks.results.map(({ backend }) => backend))];
  const families = [...Map.groupBy(attacks.results, ({ family }) => family)];
  const rows = families.map(([family, those]) => {
    const cells = held.map((backend) => cellOf(those.filter((result) => result.backend === backend)));
    return `| \`${family}\` | ${cells.join(' | ')} |`;
  });
  const sums = held.map((backend) => cellOf(attacks.results.filter((result) => result.backend === backend)));
  const head = [`| family | ${held.join(' | ')} |`, `|---|${held.map(() => '---').join('|')}|`];
  return between(before, 'attacks', [...head, ...rows, `| all | ${sums.join(' | ')} |`]);
}

/** Attacks with a failed control, which prove nothing. */
function cellOf(results: PodAttacks['results']): string {
  const words = {
    passed: 'blocked',
    failed: '**failed**',
    open: 'open',
    refused: 'refused',
    skipped: 'not tried',
  };
  const counts = Object.entries(words).flatMap(([kind, word]) => {
    const count = results.filter(({ outcome }) => outcome.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return counts.join(', ') || '–';
}

function between(before: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  return `${before.split(begin)[0] ?? ''}${begin}\n${lines.join('\n')}\n${end}${before.split(end)[1] ?? ''}`;
}
