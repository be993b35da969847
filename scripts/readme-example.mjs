// Prints the README's example: its first block of JavaScript. The tests and the package check run it.
import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const block = /```js\n([\s\S]*?)```/.exec(readme);
if (block === null) throw new Error('README.md has no block of JavaScript');
process.stdout.write(block[1]);
