import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newCallId } from './call-id.ts';
import { openRecorder } from './recorder.ts';

test('a failed line leaves nothing, and no reference to it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-recorder-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const kept: number[] = [];
  const recorder = openRecorder({ directory, id: newCallId(0), onKept: (size) => void kept.push(size) });
  expect(readdirSync(directory)).toHaveLength(1);
  recorder.write(() => {
    throw new Error('the disk is full');
  });
  expect([recorder.failure(), readdirSync(directory)]).toEqual(['Error: the disk is full', []]);
  recorder.write(() => ({ end: 'complete' }));
  recorder.finish();
  expect([recorder.failure(), readdirSync(directory), kept]).toEqual(['Error: the disk is full', [], []]);
});
