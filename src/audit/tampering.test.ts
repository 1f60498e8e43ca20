import * as fc from 'fast-check';
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headPath } from './head.ts';
import { appendEvents } from './journal.ts';
import { rotatedPath } from './parts.ts';
import { repairJournal } from './repair.ts';
import { refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';
import { rounds } from '../../scripts/testing/extent.ts';

/** Adds three files of two events each after the existing ones. */
function fill(file: string, names: readonly string[]): void {
  for (const name of names) appendEvents(file, [startEvent(name), refusalEvent(name)], { rotateAt: 1 });
}

function read(paths: readonly string[]): Parts {
  return paths.map((path) => readFileSync(path, 'latin1'));
}

/** A journal that was begun again. The one kept aside was written with the same key. */
async function journals(): Promise<{
  readonly file: string;
  readonly paths: readonly string[];
  readonly parts: Parts;
  readonly sameKey: Parts;
  readonly otherKey: Parts;
}> {
  const file = freshJournal();
  fill(file, ['a', 'b', 'c']);
  appendFileSync(file, 'garbage\n');
  const repair = await repairJournal(file);
  if (repair.kind !== 'begun') throw new Error(repair.kind);
  fill(file, ['d', 'e']);
  const other = freshJournal();
  fill(other, ['f', 'g', 'h']);
  const paths = [rotatedPath(file, 1), rotatedPath(file, 2), file];
  const namesIn = (directory: string): readonly string[] =>
    [1, 2].map((part) => rotatedPath(join(directory, basename(file)), part)).concat(join(directory, basename(file)));
  return {
    file,
    paths,
    parts: read(paths),
    sameKey: read(namesIn(repair.aside)),
    otherKey: read(namesIn(dirname(other))),
  };
}

/** Contents of the files; undefined for one that is gone. */
type Parts = readonly (string | undefined)[];
type Tamper = (parts: Parts, foreign: Parts) => Parts;

function put(paths: readonly string[], parts: Parts): void {
  for (const [index, path] of paths.entries()) {
    const content = parts[index];
    if (content === undefined) rmSync(path, { force: true });
    else writeFileSync(path, content, { encoding: 'latin1', mode: 0o600 });
  }
}

const linesOf = (text = ''): readonly string[] => text.split('\n').slice(0, -1);
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The files after all lines move across their borders. The files keep their numbers. */
function relined(parts: Parts, change: (lines: readonly string[]) => readonly string[]): Parts {
  const sizes = parts.map((part) => linesOf(part).length);
  const lines = change(parts.flatMap((part) => linesOf(part)));
  let at = 0;
  return sizes.map((size, index) =>
    joined(lines.slice(at, (at = index === sizes.length - 1 ? lines.length : at + size))),
  );
}

const nth = (items: readonly string[], at: number): number => at % items.length;
const cut = (text: string, at: number): string => text.slice(0, at % text.length);

const tampers: fc.Arbitrary<{ readonly name: string; readonly tamper: Tamper }> = fc.oneof(
  fc.tuple(fc.nat(2), fc.nat()).map(([part, at]) => ({
    name: `cut ${part} at ${at}`,
    tamper: ((parts) => parts.with(part, cut(parts[part] ?? '\n', at))) as Tamper,
  })),
  fc.nat(2).map((part) => ({ name: `remove ${part}`, tamper: ((parts) => parts.with(part, undefined)) as Tamper })),
  fc.tuple(fc.nat(2), fc.nat(2)).map(([a, b]) => ({
    name: `exchange ${a} and ${b}`,
    tamper: ((parts) => parts.with(a, parts[b]).with(b, parts[a])) as Tamper,
  })),
  fc
    .tuple(fc.nat(2), fc.nat(2))
    .map(([a, b]) => ({ name: `${b} over ${a}`, tamper: ((parts) => parts.with(a, parts[b])) as Tamper })),
  fc.tuple(fc.nat(2), fc.nat(2)).map(([a, b]) => ({
    name: `another journal's ${b} over ${a}`,
    tamper: ((parts, foreign) => parts.with(a, foreign[b])) as Tamper,
  })),
  fc.nat().map((at) => ({
    name: `leave out ${at}`,
    tamper: ((parts) => relined(parts, (lines) => lines.toSpliced(nth(lines, at), 1))) as Tamper,
  })),
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => ({
    name: `move ${from} to ${to}`,
    tamper: ((parts) =>
      relined(parts, (lines) =>
        lines.toSpliced(nth(lines, from), 1).toSpliced(to % lines.length, 0, lines[nth(lines, from)] ?? ''),
      )) as Tamper,
  })),
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => ({
    name: `repeat ${from} at ${to}`,
    tamper: ((parts) =>
      relined(parts, (lines) => lines.toSpliced(to % (lines.length + 1), 0, lines[nth(lines, from)] ?? ''))) as Tamper,
  })),
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => ({
    name: `another journal's line ${from} at ${to}`,
    tamper: ((parts, foreign) =>
      relined(parts, (lines) => {
        const others = foreign.flatMap((part) => linesOf(part));
        return lines.toSpliced(to % (lines.length + 1), 1, others[nth(others, from)] ?? '');
      })) as Tamper,
  })),
  fc.tuple(fc.nat(2), fc.nat(), fc.integer({ min: 1, max: 255 })).map(([part, at, mask]) => ({
    name: `change byte ${at} of ${part}`,
    tamper: ((parts) => {
      const bytes = Buffer.from(parts[part] || '\n', 'latin1');
      bytes.writeUInt8(bytes.readUInt8(at % bytes.length) ^ mask, at % bytes.length);
      return parts.with(part, bytes.toString('latin1'));
    }) as Tamper,
  })),
  fc.tuple(fc.nat(2), fc.nat(), fc.constantFrom('\n', '{}', ' ', '\0', '"', 'x\n')).map(([part, at, text]) => ({
    name: `put in at ${at} of ${part}`,
    tamper: ((parts) => {
      const content = parts[part] ?? '\n';
      return parts.with(part, `${cut(content, at)}${text}${content.slice(at % content.length)}`);
    }) as Tamper,
  })),
);

describe('someone without the key', () => {
  test('changes nothing that verify does not see, whatever is done in whichever order, also with a journal of the same key', {
    timeout: 120_000,
  }, async () => {
    const { file, paths, parts, sameKey, otherKey } = await journals();
    await fc.assert(
      fc.asyncProperty(
        fc.array(tampers, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(otherKey, sameKey),
        async (steps, foreign) => {
          const changed = steps.reduce<Parts>((state, { tamper }) => tamper(state, foreign), parts);
          fc.pre(changed.some((content, index) => content !== parts[index]));
          put(paths, changed);
          const { problems } = await verifyJournal(file);
          expect(problems, steps.map(({ name }) => name).join(', ')).not.toEqual([]);
          expect(problems.every(({ line }) => line >= 1)).toBe(true);
        },
      ),
      { numRuns: rounds(400) },
    );
    put(paths, parts);
    expect((await verifyJournal(file)).problems).toEqual([]);
  });

  test.each(['\n', '\n\n', '{"v":2}\n', ' '])(
    'cuts none of the files at any border of a line, with %j behind it, unseen; nor is it written on where that is the end',
    async (behind) => {
      const { file, paths, parts } = await journals();
      for (const [index, path] of paths.entries()) {
        const content = parts[index] ?? '';
        for (const at of [
          0,
          ...linesOf(content).map((_line, line, lines) => joined(lines.slice(0, line + 1)).length),
        ]) {
          for (const left of new Set([
            content.slice(0, at),
            content.slice(0, Math.max(0, at - 1)),
            `${content.slice(0, at)}${behind}`,
          ])) {
            if (left === content) continue;
            writeFileSync(path, left, 'latin1');
            expect((await verifyJournal(file)).problems, `${basename(path)} cut to ${left.length}`).not.toEqual([]);
            if (path === file && left.length < content.length - 1)
              expect(() => appendEvents(file, [startEvent('x')])).toThrow(
                expect.objectContaining({ code: 'HF_JOURNAL_FAILED' }),
              );
          }
        }
        put(paths, parts);
      }
      expect((await verifyJournal(file)).problems).toEqual([]);
    },
  );

  test('gets nothing written behind another last entry, also one of the same number and the same key', async () => {
    const { file, paths, parts, sameKey } = await journals();
    const lines = linesOf(parts[2]);
    const last = lines.at(-1) ?? '';
    const others = sameKey
      .flatMap((part) => linesOf(part))
      .filter((line) => line.startsWith(last.slice(0, last.indexOf(',"time"'))));
    expect(others).toHaveLength(1);
    for (const other of [...others, last.replace(/"mac":"..../u, '"mac":"0000')]) {
      put(paths, parts.with(2, joined([...lines.slice(0, -1), other])));
      expect(() => appendEvents(file, [startEvent('x')])).toThrow(
        expect.objectContaining({
          code: 'HF_JOURNAL_FAILED',
          message: expect.stringContaining('its last entry is not the one that was written'),
        }),
      );
    }
  });

  test('who kept an old head can cut the end anywhere behind it, as documented', async () => {
    const file = freshJournal();
    fill(file, ['a']);
    copyFileSync(headPath(file), `${headPath(file)}.old`);
    fill(file, ['b']);
    const [head, old] = [readFileSync(headPath(file)), readFileSync(`${headPath(file)}.old`)];
    writeFileSync(headPath(file), old);
    // An old head is valid if its writer was killed before it could update the head, so there is no problem.
    expect((await verifyJournal(file)).problems).toEqual([]);
    writeFileSync(file, joined(linesOf(readFileSync(file, 'latin1')).slice(0, 2)));
    writeFileSync(headPath(file), head);
    expect((await verifyJournal(file)).problems).not.toEqual([]);
    writeFileSync(headPath(file), old);
    expect((await verifyJournal(file)).problems).toEqual([]);
  });
});
