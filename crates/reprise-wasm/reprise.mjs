// Loads the WebAssembly module of Reprise in a browser or in Node. It needs no other package.
//
//   import { load } from './reprise.mjs';
//   const reprise = await load(fetch('reprise_wasm.wasm'));
//   const chunks = reprise.chunks('<p>One<p>Two');
//
// The documentation of the crate reprise-wasm describes the requests and answers of the module.

/** The version of the module's interface that this file understands. */
const VERSION = 1;
/** The length of a chunk in an answer: four 32-bit numbers and a fingerprint. */
const RECORD_BYTES = 4 * 4 + 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const HEX = encoder.encode('0123456789abcdef');

/**
 * A chunk of a text.
 * @typedef {object} Chunk
 * @property {number} start The first byte of the chunk in the UTF-8 form of the text.
 * @property {number} end The byte after the last byte of the chunk.
 * @property {number} chars The number of characters of the chunk's normal form.
 * @property {boolean} visible True if the chunk shows text.
 * @property {string} fingerprint The fingerprint, 40 hex digits.
 */

/**
 * How fingerprints are made. Only fingerprints with equal settings can be compared.
 * @typedef {object} Settings
 * @property {'sha256' | 'sha1'} [hash] The hash function. The default is sha256.
 * @property {string} [form] The chunk form, for example text. The default is that of `reprise index`.
 */

/**
 * A fingerprint to look for, and its origin.
 * @typedef {object} Label
 * @property {string} fingerprint 40 hex digits.
 * @property {'chunk' | 'file'} [level] What the fingerprint stands for. The default is chunk.
 * @property {string} [url] The URL of the page that the content comes from.
 * @property {string} [site] The site of that page. The default is the registered domain of the URL.
 * @property {string} [name] The name given by the analyst.
 * @property {number} [fetched] The fetch time of that page, in milliseconds since 1970.
 */

/**
 * The result of a check: the object that `reprise check --json` prints.
 * @typedef {object} Checked
 * @property {string} url The URL of the page.
 * @property {boolean} copy True if the page holds a label that does not come from its own site.
 * @property {number} contains The share of counted chunks that are labelled.
 * @property {number} matched The number of labelled chunks.
 * @property {number} chunks The number of chunks without stop chunks.
 * @property {number} own The number of labelled chunks whose labels come from the page's own site only.
 * @property {boolean} file_matched True if the whole file is labelled.
 * @property {{url: string, site: string, name: string, chunks: number}[]} sources The pages that the
 *   labels come from, most chunks first.
 * @property {{start: number, length: number, fingerprint: string, url: string, site: string}[]} matches
 *   The labelled chunks, in the order of the page.
 */

/** The error for a request that the module refuses. Its message says why. */
export class RepriseError extends Error {
  name = 'RepriseError';
}

/**
 * Loads the module.
 * @param {BufferSource | WebAssembly.Module | Response | Promise<Response>} source The module: its bytes,
 *   the compiled module, or the response of a server.
 * @returns {Promise<Reprise>} The functions of the module.
 */
export async function load(source) {
  source = await source;
  if (typeof Response !== 'undefined' && source instanceof Response) {
    if (!source.ok) {
      throw new RepriseError(`cannot load ${source.url}: HTTP status ${source.status}`);
    }
    source = await source.arrayBuffer();
  }
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const { exports } = await WebAssembly.instantiate(module, {});
  const version = exports.reprise_version?.();
  if (version !== VERSION) {
    throw new RepriseError(`the module has interface version ${version}, expected ${VERSION}; build it again`);
  }
  return new Reprise(exports);
}

/** The functions of a loaded module. */
class Reprise {
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  /**
   * Cuts a text into chunks, in the order of the text. `reprise index` stores the same chunks.
   * @param {string | Uint8Array} text The text, as a string or in UTF-8. A lone surrogate in a string
   *   becomes U+FFFD.
   * @param {Settings & {content?: 'html' | 'plain' | 'other'}} [options] How the text is cut. The default
   *   content is html.
   * @returns {Chunk[]} The chunks.
   */
  chunks(text, { hash = '', form = '', content = 'html' } = {}) {
    const answer = call(this.#exports, 'reprise_chunks', [], [hash, form, content, text]);
    const numbers = new DataView(answer.buffer);
    const digits = hex(answer);
    const chunks = [];
    for (let at = 0; at < answer.length; at += RECORD_BYTES) {
      chunks.push({
        start: numbers.getUint32(at, true),
        end: numbers.getUint32(at + 4, true),
        chars: numbers.getUint32(at + 8, true),
        visible: numbers.getUint32(at + 12, true) === 1,
        fingerprint: digits.slice(2 * (at + 16), 2 * (at + RECORD_BYTES)),
      });
    }
    return chunks;
  }

  /**
   * Creates a checker, which compares pages with labels.
   * @param {Iterable<Label>} labels The content to look for.
   * @param {Settings & {minLength?: number, stop?: string}} [options] The settings of the labels; the
   *   number of characters below which chunks do not count (default 0); and a list of chunks that do not
   *   count, one fingerprint or text per line.
   * @returns {Checker} The checker.
   */
  checker(labels, { hash = '', form = '', minLength = 0, stop = '' } = {}) {
    const fields = [hash, form, String(minLength), stop];
    for (const { fingerprint, level = 'chunk', url = '', site = '', name = '', fetched = '' } of labels) {
      fields.push(fingerprint, level, url, site, name, String(fetched));
    }
    const answer = call(this.#exports, 'reprise_create_checker', [], fields);
    return new Checker(this.#exports, new DataView(answer.buffer).getUint32(0, true));
  }
}

/** Compares pages with labels. */
class Checker {
  #exports;
  #number;

  constructor(exports, number) {
    this.#exports = exports;
    this.#number = number;
  }

  /**
   * Looks up the chunks of a page, and the page as a whole.
   * @param {object} page The page, with the keys of a JSONL row.
   * @param {string} page.url Its URL. It decides which labels come from the page's own site.
   * @param {string | Uint8Array} [page.html] Its HTML, as a string or in UTF-8.
   * @param {string | Uint8Array} [page.text] Its text, if the page is not HTML.
   * @param {'plain' | 'other'} [page.content] How the text is cut. The default is plain.
   * @returns {Checked} The result. Spans are bytes of the page in UTF-8.
   */
  check({ url, html, text, content = 'plain' }) {
    const fields = html === undefined ? [content, url, text] : ['html', url, html];
    const answer = call(this.#exports, 'reprise_check', [this.#number], fields);
    return JSON.parse(decoder.decode(answer));
  }

  /** Frees the memory of the labels. The checker cannot be used afterwards. */
  free() {
    call(this.#exports, 'reprise_free_checker', [this.#number], []);
  }
}

/**
 * Writes a request, calls a function of the module, and returns a copy of the answer.
 * @param {WebAssembly.Exports} exports The module.
 * @param {string} name The function.
 * @param {number[]} parameters Its parameters.
 * @param {(string | Uint8Array)[]} values The fields of the request.
 * @returns {Uint8Array} The answer.
 */
function call(exports, name, parameters, values) {
  const fields = values.map((value) => {
    if (value instanceof Uint8Array) {
      return value;
    }
    if (typeof value !== 'string') {
      throw new TypeError(`expected a string or a Uint8Array, found ${value === null ? 'null' : typeof value}`);
    }
    return encoder.encode(value);
  });
  const length = fields.reduce((sum, field) => sum + 4 + field.length, 0);
  // A larger number would wrap around at the border.
  const address = length < 2 ** 32 ? exports.reprise_input(length) >>> 0 : 0;
  if (address === 0) {
    throw new RepriseError(`not enough memory for a request of ${length} bytes`);
  }
  write(new Uint8Array(exports.memory.buffer, address, length), fields);
  const status = exports[name](...parameters);
  // The call may have enlarged the memory, which replaces its buffer.
  const answer = new Uint8Array(
    exports.memory.buffer,
    exports.reprise_output() >>> 0,
    exports.reprise_output_length() >>> 0,
  ).slice();
  if (status !== 0) {
    throw new RepriseError(decoder.decode(answer));
  }
  return answer;
}

/** Writes fields, each with its length before it. */
function write(room, fields) {
  const numbers = new DataView(room.buffer, room.byteOffset, room.length);
  let at = 0;
  for (const field of fields) {
    numbers.setUint32(at, field.length, true);
    room.set(field, at + 4);
    at += 4 + field.length;
  }
}

/** Returns the hex digits of bytes. One long string is much faster to make than many short ones. */
function hex(bytes) {
  const digits = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    digits[2 * at] = HEX[bytes[at] >> 4];
    digits[2 * at + 1] = HEX[bytes[at] & 15];
  }
  return decoder.decode(digits);
}
