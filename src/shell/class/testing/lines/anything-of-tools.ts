/** Lines that look like questions and run programs that the repository names. Labelled by hand, not by the analysis. */
export const anythingOfToolsLines: readonly string[] = [
  'cargo tree',
  'cargo tree --offline',
  'cargo metadata --format-version 1',
  'poetry env info --path',
  'poetry show -l',
  'poetry show',
  'poetry env list',
  'uv pip tree',
  'uv pip list',
  'uv python find',
  'iptables-restore -M ./load rules.v4',
  'ebtables --modprobe=./load -L',
  'update-ca-certificates --hooksdir ./hooks',
  'lvcreate --config ./lvm.conf -n data vg0',
  'anacron -n -t ./anacrontab',
];
