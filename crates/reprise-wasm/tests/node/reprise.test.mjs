// Compares the module with native code. Run it by `cargo xtask wasm`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { RepriseError, load } from '../../reprise.mjs';
import { native, required } from './native.mjs';
import { hostilePages, largePage, randomPages, testPage, testPages } from './pages.mjs';

const module = new WebAssembly.Module(readFileSync(required('REPRISE_WASM')));
const reprise = await load(module);
const HASHES = names({ hash: '?' });
const FORMS = names({ form: '?' });
const CONTENTS = names({ content: '?' });

/** Returns the names that an option can have. The error for an unknown name lists them. */
function names(options) {
  try {
    reprise.chunks('', options);
  } catch (error) {
    return error.message.split('use one of: ')[1].split(', ');
  }
  throw new Error(`${JSON.stringify(options)} is not refused`);
}

/** Checks that the module and native code cut pages into the same chunks. Returns the number of chunks. */
function compareChunks(pages, { hashes = HASHES, forms = FORMS, contents = CONTENTS } = {}) {
  const requests = [];
  for (const [name, text] of pages) {
    for (const hash of hashes) {
      for (const form of forms) {
        for (const content of contents) {
          requests.push({ name, text, hash, form, content });
        }
      }
    }
  }
  const wellFormed = (text) => Buffer.from(text, 'utf8').toString('utf8');
  const expected = native(requests.map((request) => ({ call: 'chunks', ...request, text: wellFormed(request.text) })));
  let count = 0;
  for (const [index, { name, text, ...options }] of requests.entries()) {
    const found = reprise.chunks(text, options);
    // Only the first difference is printed: `deepEqual` would print all of them, for minutes.
    const first = found.findIndex((chunk, at) => !isDeepStrictEqual(chunk, expected[index][at]));
    const message = `${name}, ${JSON.stringify(options)}`;
    assert.deepEqual(found[first], expected[index][first], `${message}, chunk ${first}`);
    assert.equal(found.length, expected[index].length, message);
    count += found.length;
  }
  return count;
}

test('names of options are known', () => {
  assert.ok(HASHES.includes('sha256') && FORMS.includes('text') && CONTENTS.includes('html'));
});

test('pages in testdata have the same chunks', () => {
  const pages = testPages();
  assert.ok(pages.size >= 9);
  assert.ok(compareChunks(pages) > 200);
});

test('hostile pages have the same chunks', () => {
  assert.ok(compareChunks(hostilePages()) > 1_000);
});

test('random pages have the same chunks', () => {
  assert.ok(compareChunks(randomPages(500)) > 5_000);
});

test('large pages have the same chunks', () => {
  const pages = new Map([
    ['many chunks', largePage(5_000_000)],
    ['one chunk', largePage(5_000_000, Infinity)],
  ]);
  assert.ok(compareChunks(pages, { hashes: ['sha256'], contents: ['html'] }) > 10_000);
});

test('a string and its UTF-8 form have the same chunks', () => {
  for (const text of [...testPages().values(), '<p>\ud800']) {
    assert.deepEqual(reprise.chunks(new TextEncoder().encode(text)), reprise.chunks(text));
  }
});

test('spans are bytes of the UTF-8 form', () => {
  const text = '<p>😀é<p>two';
  const bytes = new TextEncoder().encode(text);
  const chunks = reprise.chunks(text);
  const raw = chunks.map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)));
  assert.deepEqual(raw, ['<p>😀é', '<p>two']);
});

test('the documented fingerprint of the documented example', () => {
  const [chunk] = reprise.chunks('<p>One<p>Two', { form: 'text', hash: 'sha1' });
  // The SHA-1 of "One".
  assert.deepEqual(chunk, { start: 0, end: 6, chars: 3, visible: true, fingerprint: 'b58b5a8ced9db48b30e008b148004c1065ce53b1' });
});

/** Labels of the chunks of a page. */
function labelsOf(text, { hash, form }, label) {
  const chunks = reprise.chunks(text, { hash, form });
  return chunks.map(({ fingerprint }) => ({ fingerprint, level: 'chunk', ...label }));
}

test('checks have the same results', () => {
  const original = testPage('login-form.html');
  const copied = testPage('login-form-copied.html');
  const pages = [
    { url: 'https://evil.example/login', text: copied },
    { url: 'https://www.harbour.co.uk/', text: copied },
    { url: 'https://evil.example/exact', text: original },
    { url: 'https://www.harbour.co.uk/', text: original },
    { url: 'not a URL', text: original },
    { url: '', text: '' },
    { url: 'https://new.example/😀', text: '<p>\ud800 nothing in common' },
  ];
  const requests = [];
  for (const hash of HASHES) {
    for (const form of FORMS) {
      const settings = { hash, form };
      const [{ fingerprint: file }] = reprise.chunks(original, { hash, form: 'markup', content: 'other' });
      const labels = [
        ...labelsOf(original, settings, { url: 'https://login.harbour.co.uk/', site: 'harbour.co.uk', name: 'Bank', fetched: 2_000 }),
        ...labelsOf(copied, settings, { url: 'https://earlier.example/', site: 'earlier.example', name: '', fetched: 1_000 }),
        { fingerprint: file, level: 'file', url: 'https://login.harbour.co.uk/', site: 'harbour.co.uk', name: 'Bank' },
      ];
      for (const options of [{}, { minLength: 30 }, { stop: `${labels[0].fingerprint}\n<p>All rights` }]) {
        for (const page of pages) {
          requests.push({ call: 'check', content: 'html', labels, ...settings, ...options, ...page });
        }
      }
    }
  }
  const expected = native(requests.map((request) => ({ ...request, text: Buffer.from(request.text).toString() })));
  for (const [index, { labels, hash, form, minLength, stop, url, text }] of requests.entries()) {
    const checker = reprise.checker(labels, { hash, form, minLength, stop });
    assert.deepEqual(checker.check({ url, html: text }), expected[index]);
    checker.free();
  }
  assert.ok(expected.some(({ copy }) => copy) && expected.some(({ copy }) => !copy));
  assert.ok(expected.some(({ own }) => own > 0) && expected.some(({ matched }) => matched === 0));
});

test('the site of a label follows from its URL', () => {
  const text = '<p>Sign in with your card number';
  const checker = reprise.checker(labelsOf(text, {}, { url: 'https://login.harbour.co.uk/' }));
  const found = checker.check({ url: 'https://www.harbour.co.uk/', html: text });
  assert.deepEqual([found.copy, found.own, found.matches[0].site], [false, 1, 'harbour.co.uk']);
  assert.equal(checker.check({ url: 'https://evil.co.uk/', html: text }).copy, true);
});

test('text is cut as plain text or not at all', () => {
  const text = 'one\n\n<p>two';
  for (const [options, chunks] of [[{}, 2], [{ content: 'plain' }, 2], [{ content: 'other' }, 1]]) {
    const checker = reprise.checker([], { form: 'text' });
    assert.equal(checker.check({ url: '', text, ...options }).chunks, chunks);
  }
});

test('checkers do not depend on one another', () => {
  const [first, second] = ['<p>one', '<p>two'].map((text) => reprise.checker(labelsOf(text, {})));
  const matched = (checker) => checker.check({ url: '', html: '<p>one<p>two' }).matches[0].start;
  assert.deepEqual([matched(first), matched(second)], [0, 6]);
  first.free();
  assert.equal(matched(second), 6);
  assert.throws(() => matched(first), { name: 'RepriseError', message: /does not exist/ });
  assert.throws(() => first.free(), RepriseError);
});

test('invalid input is refused with the reason', () => {
  const refused = (call, message) => assert.throws(call, { name: 'RepriseError', message });
  refused(() => reprise.chunks('', { hash: 'md5' }), 'unknown hash "md5", use one of: sha256, sha1');
  refused(() => reprise.chunks(new Uint8Array([60, 112, 255])), 'the field text is not UTF-8: invalid byte at offset 2');
  refused(() => reprise.checker([{ fingerprint: 'abc' }]), 'label 0: a fingerprint has 40 hex digits, found 3 bytes');
  refused(() => reprise.checker([], { minLength: -1 }), 'the field minLength is not a whole number in range: "-1"');
  assert.throws(() => reprise.chunks(null), TypeError);
  assert.throws(() => reprise.checker([{}]), TypeError);
  // The module works after a refusal.
  assert.equal(reprise.chunks('<p>a').length, 1);
});

test('the module has the documented interface', async () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
  const documentation = readFileSync(new URL('../../src/lib.rs', import.meta.url), 'utf8');
  assert.ok(functions.length >= 8);
  for (const { name } of functions) {
    assert.ok(documentation.includes(`[\`${name}(`), `${name} is not documented`);
  }
  const { exports } = await WebAssembly.instantiate(module, {});
  assert.equal(exports.reprise_input(0xffff_ffff), 0);
  // A request that was not written is empty, and refused.
  assert.equal(exports.reprise_chunks(), 1);
});

test('the memory does not grow from page to page', async () => {
  const { exports } = await WebAssembly.instantiate(module, {});
  const text = new TextEncoder().encode(largePage(1_000_000));
  const header = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, ...Buffer.from('html'), 0, 0, 0, 0]);
  new DataView(header.buffer).setUint32(16, text.length, true);
  const sizes = [];
  for (let page = 0; page < 20; page++) {
    const address = exports.reprise_input(header.length + text.length);
    const memory = new Uint8Array(exports.memory.buffer);
    memory.set(header, address);
    memory.set(text, address + header.length);
    assert.equal(exports.reprise_chunks(), 0);
    sizes.push(exports.memory.buffer.byteLength);
  }
  assert.equal(sizes[19], sizes[3], String(sizes));
});

test('the module can be loaded from bytes and from a response', async () => {
  const bytes = readFileSync(required('REPRISE_WASM'));
  for (const source of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new Response(bytes)]) {
    assert.equal((await load(source)).chunks('<p>a').length, 1);
  }
  await assert.rejects(load(new Response('', { status: 404 })), RepriseError);
  await assert.rejects(load(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), { message: /interface version undefined/ });
});
