import { expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';

const rows: readonly (readonly [line: string, effects: string])[] = [
  ['systemctl status nginx', 'nothing'],
  ['systemctl restart nginx', 'opaque:inline-code'],
  ['systemctl --frob', 'opaque:unknown-option'],
  ['journalctl -u nginx -n 50 --no-pager', 'nothing'],
  ['journalctl --vacuum-size=1M', 'opaque:inline-code'],
  ['crontab -l', 'nothing'],
  ['crontab file', 'reads:file opaque:inline-code|repository-code'],
  ['crontab -e', 'opaque:inline-code'],
  ['at now', 'opaque:stdin-code'],
  ['mount', 'nothing'],
  ['mount /dev/sda /mnt', 'opaque:inline-code'],
  ['umount /mnt', 'opaque:inline-code'],
  ['sysctl -a', 'nothing'],
  ['sysctl kernel.core_pattern', 'nothing'],
  ['sysctl -w kernel.core_pattern=x', 'opaque:inline-code'],
  ['insmod x.ko', 'opaque:inline-code'],
  ['iptables -L', 'opaque:inline-code|unknown-option'],
  ['ip addr show', 'nothing'],
  ['ip link set eth0 down', 'opaque:inline-code'],
  ['ip -br addr', 'nothing'],
  ['ip netns exec a sh', 'commands:sh opaque:inline-code'],
  ['ip frob', 'opaque:unknown-tool'],
  ['lsblk', 'nothing'],
  ['dmesg -T', 'nothing'],
  ['ss -tlnp', 'nothing'],
  ['lsof -i :80', 'nothing'],
  ['useradd x', 'opaque:inline-code'],
  ['reboot', 'opaque:inline-code'],
];

test.each(rows)('%s', (line, effects) => {
  expect(brief(line)).toBe(effects);
});
