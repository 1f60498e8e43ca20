/** Writes contents with and without secrets, as seeds for their fuzzer: `node fuzz-secret-seeds.ts DIRECTORY`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const directory = process.argv[2] ?? 'seeds';
mkdirSync(directory, { recursive: true });

const seeds = [
  'DB_PASSWORD=Xk29vQm1\n',
  '{"client_secret": "q8Zt7LmN0p", "token": "${TOKEN}"}',
  'postgres://app:Xk29vQm1@db/app',
  'https://a1b2c3d4e5f6a7b8c9d0@example.com/x.git',
  '//registry.example.com/:_authToken=abc123def456\n',
  "define('AUTH_KEY', 'p3xR9vT2kL8mQ4wZ7nB1');",
  '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n',
  `ghp_${'a1'.repeat(18)}`,
  'Authorization: Bearer abc.def\n',
  'a1b2c3d4e5f6g7h8==\n',
  'ab=',
  'password=$',
  // Over and over, up to a placeholder: 35 seconds of native code, when each was judged up to the end.
  '/xoxp-1',
  '<password>x</password>',
];
for (const [index, seed] of seeds.entries()) writeFileSync(join(directory, String(index)), seed);
console.log(`${seeds.length} seeds in ${directory}`);
