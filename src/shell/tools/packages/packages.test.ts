import { expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';

const rows: readonly (readonly [line: string, effects: string])[] = [
  ['apt list --installed', 'nothing'],
  ['apt-get install -y x', 'hosts:? opaque:inline-code'],
  ['apt-get -o DPkg::Pre-Invoke::=./x update', 'hosts:? opaque:inline-code'],
  ['apt frob', 'opaque:unknown-tool'],
  ['apt-cache search x', 'nothing'],
  ['dpkg -l', 'nothing'],
  ['dpkg -i x.deb', 'opaque:inline-code'],
  ['dpkg --pre-invoke=./x -i a', 'opaque:inline-code'],
  ['dpkg --frob', 'opaque:unknown-option'],
  ['dnf list', 'hosts:?'],
  ['dnf install x', 'hosts:? opaque:inline-code'],
  ['rpm -qa', 'nothing'],
  ['rpm -i a.rpm', 'opaque:inline-code'],
  ['rpm -qi bash', 'nothing'],
  ["rpm --eval '%(id)'", 'opaque:inline-code'],
  ['pacman -Qs x', 'nothing'],
  ['pacman -S x', 'opaque:inline-code'],
  ['apk add x', 'hosts:? opaque:inline-code'],
  ['apk info', 'nothing'],
  ['snap list', 'nothing'],
  ['brew list', 'nothing'],
  ['brew install x', 'hosts:? opaque:inline-code'],
  ['brew frob', 'opaque:unknown-tool'],
];

test.each(rows)('%s', (line, effects) => {
  expect(brief(line)).toBe(effects);
});
