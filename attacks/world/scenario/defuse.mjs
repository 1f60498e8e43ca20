// defuse.mjs INSTALLATION FILE: prints a reply as a client gets it that passes its model's replies to `defuseOutbound`.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';

const { defuseOutbound } = await import(`${argv[2]}/dist/index.js`);
console.log(defuseOutbound(readFileSync(argv[3], 'utf8'), { media: 'markdown', allows: () => false }).text);
