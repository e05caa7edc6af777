// Prints the size of the module and its speed: node speed.mjs MODULE. `cargo xtask wasm speed` runs it.
//
// The first call is slower than later ones, because the engine has not optimised the code yet. Each case
// has its own process: one process would share optimised code between cases.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { load } from '../../reprise.mjs';
import { largePage } from './pages.mjs';

const BYTES = 5_000_000;
const RUNS = 7;
const CASES = [
  { name: 'page with many chunks', words: 30, form: 'markup' },
  { name: 'page with many chunks', words: 30, form: 'text' },
  { name: 'page with one chunk', words: Infinity, form: 'markup' },
  { name: 'page with one chunk', words: Infinity, form: 'text' },
];

const [path, index] = process.argv.slice(2);
const bytes = readFileSync(path);
if (index === undefined) {
  console.log(`module: ${bytes.length} bytes, ${brotliCompressSync(bytes).length} with brotli`);
  for (const index of CASES.keys()) {
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), path, index], { stdio: 'inherit' });
  }
} else {
  await measure(CASES[index]);
}

/** Measures one case and prints the result. */
async function measure({ name, words, form }) {
  const page = new TextEncoder().encode(largePage(BYTES, words));
  const reprise = await load(bytes);
  const speeds = [];
  let chunks = 0;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    chunks = reprise.chunks(page, { form }).length;
    speeds.push(page.length / 1_000 / (performance.now() - start));
  }
  const [first, ...later] = speeds;
  console.log(`${name}, ${form}: chunks ${chunks}, first call ${first.toFixed(0)} MB/s, later calls ${median(later).toFixed(0)} MB/s`);
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}
