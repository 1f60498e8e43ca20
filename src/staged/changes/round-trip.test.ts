import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesOf } from './changes-of.ts';
import { applyReference } from './testing/apply-reference.ts';
import { overlayScene, overlayTrouble } from './testing/overlay-scene.ts';
import { linksOf, treeOf } from './testing/tree-of.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const path = fc.oneof(
  name,
  fc.tuple(name, name).map((parts) => parts.join('/')),
  fc.tuple(name, name, name).map((parts) => parts.join('/')),
);
const content = fc.constantFrom('1', '2', '33');

/** Shell commands over few names, so that they affect each other. Most fail, and those that fail change nothing. */
const command = fc.oneof(
  fc.tuple(path, content).map(([at, text]) => `mkdir -p "$(dirname ${at})" && test ! -p ${at} && echo ${text} > ${at}`),
  fc.tuple(path, content).map(([at, text]) => `test -f ${at} && echo ${text} >> ${at}`),
  fc.tuple(path, content).map(([at, text]) => `test -f ${at} && echo ${text} > ${at}`),
  path.map((at) => `rm -rf ${at}`),
  path.map((at) => `mkdir -p ${at}`),
  path.map((at) => `rm -rf ${at} && mkdir ${at}`),
  fc.tuple(path, path).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `test -f ${from} && ln ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `ln -s ${from} ${to}`),
  fc.tuple(path, fc.constantFrom('600', '644', '755')).map(([at, mode]) => `test -f ${at} && chmod ${mode} ${at}`),
  fc
    .tuple(path, fc.constantFrom('700', '755', '711'))
    .map(([at, mode]) => `test -d ${at} && test ! -L ${at} && chmod ${mode} ${at}`),
  fc.tuple(path, fc.constantFrom('@5', '@6.000000007')).map(([at, time]) => `test -e ${at} && touch -d ${time} ${at}`),
  path.map((at) => `test -f ${at} && truncate -s 3 ${at}`),
  path.map((at) => `mkfifo ${at}`),
  fc
    .tuple(path, path)
    .map(([from, to]) => `test -f ${from} && test ! -p ${to}.new && cp -p ${from} ${to}.new && mv -T ${to}.new ${to}`),
);
const script = (commands: readonly string[]): string =>
  commands.map((line) => `{ ${line}; } 2>/dev/null || true`).join('\n');
const commands = fc.array(command, { minLength: 3, maxLength: 14 }).map(script);

describe.skipIf(overlayTrouble !== '')(`the changes of a layer, applied to the host${overlayTrouble}`, () => {
  test('give the tree that the box saw', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(commands, commands, (before, staged) => {
        const { host, layer, stage } = overlayScene(before);
        const truth = join(layer.directory, 'truth');
        mkdirSync(truth);
        stage(staged);
        // Uses a new mount, because in the mount that made a hard link, both names may appear as different files.
        stage(`cp -a -T . ${truth}`);
        const changes = changesOf(layer);
        expect(changes.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
        applyReference(changes, host);
        expect(treeOf(host)).toEqual(treeOf(truth));
        const touched = new Set(changes.map((change) => change.path.toString()));
        const ofTouched = (links: ReadonlyMap<string, string>) =>
          [...links].filter(([at, first]) => at !== first && (touched.has(at) || touched.has(first)));
        expect(ofTouched(linksOf(host))).toEqual(ofTouched(linksOf(truth)));
        expect(changesOf(layer).filter(({ kind }) => kind !== 'metadata')).toEqual([]);
        execFileSync('chmod', ['-R', 'u+rwX', layer.directory]);
        rmSync(layer.directory, { recursive: true });
      }),
      { numRuns: rounds(100), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    );
  });
});
