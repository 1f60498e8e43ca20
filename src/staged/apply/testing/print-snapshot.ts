import process from 'node:process';
import { snapshot } from './snapshot.ts';

console.log(JSON.stringify(snapshot(process.argv[2] ?? '.', 'entries')));
