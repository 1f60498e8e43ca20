import { expect, test } from 'vitest';
import { brief } from '../testing/brief.ts';

const rows: readonly (readonly [line: string, effects: string])[] = [
  ['vim a.txt', 'writes:a.txt opaque:inline-code'],
  ["vim -c ':!id' a.txt", 'writes:a.txt opaque:inline-code'],
  ['vim -S x.vim', 'reads:x.vim opaque:inline-code|repository-code'],
  ['vim --frob', 'opaque:inline-code|unknown-option'],
  ['emacs --batch --eval x', 'opaque:inline-code'],
  ['nano a.txt', 'writes:a.txt opaque:inline-code'],
  ['nano -s ./x a.txt', 'writes:a.txt commands:./x … opaque:inline-code'],
  ['ed a.txt', 'writes:a.txt opaque:stdin-code'],
  ['ex a.txt', 'writes:a.txt opaque:inline-code'],
  ['code .', 'writes:./** opaque:inline-code'],
  ["sqlite3 a.db 'select 1'", 'writes:a.db'],
  ["sqlite3 a.db '.shell id'", 'writes:a.db opaque:inline-code'],
  ['sqlite3 a.db "attach \'x\' as y"', 'writes:a.db opaque:inline-code'],
  ['sqlite3 a.db', 'writes:a.db opaque:stdin-code'],
  ["sqlite3 -cmd '.shell id' a.db", 'writes:a.db opaque:inline-code|stdin-code'],
  ['sqlite3 -frob a.db', 'writes:a.db opaque:stdin-code|unknown-option'],
  ["psql -h db.example.com -c 'select 1'", 'hosts:db.example.com'],
  ["psql -c '\\! id'", 'hosts:? opaque:inline-code'],
  ['psql -c "copy t to program \'id\'"', 'hosts:? opaque:inline-code'],
  ['psql -f x.sql', 'reads:x.sql hosts:? opaque:repository-code'],
  ['psql', 'hosts:? opaque:stdin-code'],
  ['psql --frob', 'hosts:? opaque:stdin-code|unknown-option'],
  ['psql postgres://db.example.com/x', 'hosts:? opaque:stdin-code|unknown-option'],
  ["mysql -h db.example.com -e 'select 1'", 'hosts:db.example.com'],
  ["mysql -e 'system id'", 'hosts:? opaque:inline-code'],
  ['mysql --pager=./x', 'hosts:? commands:./x … opaque:inline-code|stdin-code'],
  ['mysqldump -h db.example.com a', 'hosts:db.example.com'],
  ['pg_dump -h db.example.com a', 'hosts:db.example.com'],
  ['redis-cli -h db.example.com get x', 'hosts:db.example.com'],
  ['redis-cli config set dir /x', 'hosts:? opaque:inline-code'],
  ['redis-cli --eval x.lua', 'reads:x.lua hosts:? opaque:inline-code|repository-code'],
  ['mongosh --eval 1', 'hosts:? opaque:inline-code'],
  ["psql -c '\\d `id`'", 'hosts:? opaque:inline-code'],
  ["mysql -e 'delimiter x'", 'hosts:? opaque:inline-code'],
];

test.each(rows)('%s', (line, effects) => {
  expect(brief(line)).toBe(effects);
});
