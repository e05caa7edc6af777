// The native program that the module is compared with: crates/reprise-wasm/examples/native.rs.

import { spawnSync } from 'node:child_process';

/** Sends requests to the native program and returns its answers, in the same order. */
export function native(requests) {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const { status, error, stdout, stderr } = spawnSync(required('REPRISE_NATIVE'), {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (error || status !== 0) {
    throw new Error(`the native program failed: ${error ?? stderr}`);
  }
  const answers = stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line));
  if (answers.length !== requests.length) {
    throw new Error(`the native program answered ${answers.length} of ${requests.length} requests`);
  }
  return answers;
}

/** Returns an environment variable that `cargo xtask wasm` sets. */
export function required(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set; run \`cargo xtask wasm\``);
  }
  return value;
}
