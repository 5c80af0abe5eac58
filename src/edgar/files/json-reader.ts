/**
 * A pull parser for JSON in bytes. JSON.parse would round figures to doubles, and create an object for every row of
 * company facts, half of which are only counted; the README of this room has the measurements.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const SCALAR = /^(?:-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Maximum depth: more than any public file, and safe for the stack. */
const MAX_DEPTH = 100;

export class JsonReader {
  readonly bytes: Buffer;
  /** Start and end of the last scalar; for a string without its quotes. */
  from = 0;
  to = 0;
  #at = 0;
  #text: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Enters the next value if it is an object; otherwise returns false without moving. */
  enterObject(): boolean {
    return this.#opens(OPEN_OBJECT);
  }

  enterArray(): boolean {
    return this.#opens(OPEN_ARRAY);
  }

  /**
   * Moves to the object's next key, which becomes the last scalar; false at its end. `first`: the object was just
   * entered.
   */
  nextKey(first: boolean): boolean {
    if (!this.#continues(CLOSE_OBJECT, first)) return false;
    if (!this.readString()) this.#fail();
    if (this.#next() !== COLON) this.#fail();
    this.#at++;
    return true;
  }

  /** Moves to the array's next element; false at its end. `first`: the array was just entered. */
  nextElement(first: boolean): boolean {
    return this.#continues(CLOSE_ARRAY, first);
  }

  /** Reads the next value if it is a string; otherwise returns false without moving. */
  readString(): boolean {
    if (this.#next() !== QUOTE) return false;
    const { bytes } = this;
    let at = this.#at + 1;
    this.from = at;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      // Undefined at the end of the bytes; JSON allows no control characters in strings.
      if (byte === undefined || byte < 0x20) this.#fail();
      at += byte === BACKSLASH ? 2 : 1;
    }
    this.to = at;
    this.#at = at + 1;
    return true;
  }

  /** Reads the next value if it is a number, true, false or null; otherwise returns false without moving. */
  readBare(): boolean {
    const first = this.#next();
    if (first === QUOTE || first === OPEN_OBJECT || first === OPEN_ARRAY) return false;
    const { bytes } = this;
    let at = this.#at;
    // The range has digits, letters, signs and the dot; every character that may follow a number or word is outside
    // it.
    for (let byte = bytes[at]; byte !== undefined && byte > COMMA - 2 && byte !== COMMA; byte = bytes[at]) {
      if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COLON) break;
      at++;
    }
    this.from = this.#at;
    this.to = at;
    this.#at = at;
    if (this.from === at) this.#fail();
    return true;
  }

  /** Skips the next value. */
  skip(depth = 0): void {
    if (this.readString()) return;
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply');
    if (this.enterObject()) {
      for (let more = this.nextKey(true); more; more = this.nextKey(false)) this.skip(depth + 1);
    } else if (this.enterArray()) {
      for (let more = this.nextElement(true); more; more = this.nextElement(false)) this.skip(depth + 1);
    } else {
      this.readBare();
      if (!SCALAR.test(this.bytes.toString('latin1', this.from, this.to))) this.#fail();
    }
  }

  /**
   * Matches a sticky pattern at the current position, reading the bytes as Latin-1; if it does not match, returns
   * null without moving.
   */
  match(pattern: RegExp): RegExpExecArray | null {
    this.#next();
    this.#text ??= this.bytes.toString('latin1');
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  /** Skips the next value and returns it as written. */
  raw(): string {
    this.#next();
    const from = this.#at;
    this.skip();
    return this.bytes.toString('utf8', from, this.#at);
  }

  /** Returns the last scalar as text. */
  text(): string {
    const { bytes, from, to } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === BACKSLASH) return JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string;
      if (byte > 0x7e) return bytes.toString('utf8', from, to);
    }
    return bytes.toString('latin1', from, to);
  }

  /** Throws SyntaxError if anything follows the document. */
  expectEnd(): void {
    if (this.#next() !== -1) this.#fail();
  }

  #opens(bracket: number): boolean {
    if (this.#next() !== bracket) return false;
    this.#at++;
    return true;
  }

  #continues(close: number, first: boolean): boolean {
    const byte = this.#next();
    if (byte === close) {
      this.#at++;
      return false;
    }
    if (first) return true;
    if (byte !== COMMA) this.#fail();
    this.#at++;
    return true;
  }

  /**
   * Returns the next byte that is not white space; -1 at the end. Never reads past the end, which would make V8 slow
   * down every read.
   */
  #next(): number {
    const { bytes } = this;
    const byte = this.#at < bytes.length ? (bytes[this.#at] ?? -1) : -1;
    return byte > 0x20 ? byte : this.#nextOverSpace();
  }

  #nextOverSpace(): number {
    const { bytes } = this;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? -1;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    }
    return -1;
  }

  #fail(): never {
    throw new SyntaxError(`not JSON, at byte ${this.#at}`);
  }
}
