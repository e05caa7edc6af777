// Pages for the tests: those in testdata, and generated ones.

import { readFileSync, readdirSync } from 'node:fs';

const TESTDATA = new URL('../../../../testdata/pages/', import.meta.url);

/** Returns the text of a page in testdata. */
export function testPage(name) {
  return readFileSync(new URL(name, TESTDATA), 'utf8');
}

/** Returns all pages in testdata, by name. */
export function testPages() {
  const names = readdirSync(TESTDATA).sort();
  return new Map(names.map((name) => [name, testPage(name)]));
}

/** Returns pages that are hard to cut, by name. */
export function hostilePages() {
  return new Map([
    ['empty', ''],
    ['white space', ' \t\r\n\f '],
    ['only a byte order mark', '\ufeff'],
    ['two byte order marks', '\ufeff\ufeff<p>a'],
    ['lone surrogates', '<p>\ud800<p>\udfff\ud800 a\udc00\ud83d<div>\ud83d\ude00'],
    ['astral characters', '<p>\u{10ffff}\u{1f600}<p\u{1f600}><div>\u{20bb7}'.repeat(50)],
    ['control characters', Array.from({ length: 160 }, (_, code) => `<p>${String.fromCharCode(code)}x`).join('')],
    ['an open tag', '<p>a<p title="<div>'],
    ['an open comment', '<p>a<!-- <p>b<p>c'],
    ['an open script', '<p>a<script><!-- <script> <p>b </script> <p>c'],
    ['nested elements', '<div>'.repeat(20_000) + 'x' + '</div>'.repeat(20_000)],
    ['only less-than signs', '<'.repeat(5_000)],
    ['quotes', `<p a="'>'" b='"<p>"'>`.repeat(500)],
    ['character references', '&amp;&#x1F600;&notin;&'.repeat(1_000)],
    ['a long line', 'word '.repeat(50_000)],
  ]);
}

/** The parts of random pages. */
const PARTS = [
  '<p>', '<P a=b>', '<div>', '</div>', '<b>', '<!--', '-->', '<script>', '</script>', '<title>', '</title>', '<textarea>', '<style>',
  '<![CDATA[', '<', '>', '"', "'", '=', '/', '&amp;', '&', '&#65;', '&nbsp;', ' ', '  ', '\n', '\n\n', '\r\n', '\t', '\0', 'é', '😀', '\u00ad',
  '\u2003', 'word', 'two words', 'x'.repeat(70),
];

/** Returns random pages, by name. The same pages are returned each time. */
export function randomPages(count) {
  const next = random(1);
  const page = () => Array.from({ length: next() % 60 }, () => PARTS[next() % PARTS.length]).join('');
  return new Map(Array.from({ length: count }, (_, number) => [`random ${number}`, page()]));
}

/** Returns a page of at least `bytes` bytes, with a chunk every `words` words on average. */
export function largePage(bytes, words = 30) {
  const next = random(2);
  const parts = [];
  for (let length = 0; length < bytes; ) {
    const word = next() % words === 0 ? '\n<p class="text">' : `${(next() % 100_000).toString(36)} `;
    parts.push(word);
    length += word.length;
  }
  return parts.join('');
}

/** Returns a function that returns pseudo-random 31-bit numbers (xorshift). */
function random(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 1;
  };
}
