/**
 * Goes through JSON as bytes, token by token, making nothing that is not asked for.
 *
 * JSON.parse makes an object of every row, and loses digits unless figures are quoted first. Company facts
 * are gigabytes of rows of which four in five are only counted.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const SCALAR = /^(?:-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Far more than any public file has, far less than the stack. */
const DEEPEST = 100;

export class JsonReader {
  readonly bytes: Buffer;
  /** Where the last scalar begins and ends; of a string, what stands between its quotes. */
  from = 0;
  to = 0;
  #at = 0;
  #text: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Into the object that comes next; false, and nowhere, where something else comes. */
  enterObject(): boolean {
    return this.#opens(OPEN_OBJECT);
  }

  enterArray(): boolean {
    return this.#opens(OPEN_ARRAY);
  }

  /** To the object's next key, which is then the last scalar; false past its end. `first`: the object was just opened. */
  nextKey(first: boolean): boolean {
    if (!this.#continues(CLOSE_OBJECT, first)) return false;
    if (!this.readString()) this.#fail();
    if (this.#next() !== COLON) this.#fail();
    this.#at++;
    return true;
  }

  /** To the array's next element; false past its end. `first`: the array was just opened. */
  nextElement(first: boolean): boolean {
    return this.#continues(CLOSE_ARRAY, first);
  }

  /** Over the string that comes next; false, and nowhere, where something else comes. */
  readString(): boolean {
    if (this.#next() !== QUOTE) return false;
    const { bytes } = this;
    let at = this.#at + 1;
    this.from = at;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      // Past the end there is nothing; control characters are not allowed in a string.
      if (byte === undefined || byte < 0x20) this.#fail();
      at += byte === BACKSLASH ? 2 : 1;
    }
    this.to = at;
    this.#at = at + 1;
    return true;
  }

  /** Over the number or word that comes next; false, and nowhere, where something else comes. */
  readBare(): boolean {
    const first = this.#next();
    if (first === QUOTE || first === OPEN_OBJECT || first === OPEN_ARRAY) return false;
    const { bytes } = this;
    let at = this.#at;
    // Digits, letters, signs and the dot; all that may follow a number or word is outside of them.
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

  /** Over whatever comes next. */
  skip(depth = 0): void {
    if (this.readString()) return;
    if (depth > DEEPEST) throw new SyntaxError('nested too deeply');
    if (this.enterObject()) {
      for (let more = this.nextKey(true); more; more = this.nextKey(false)) this.skip(depth + 1);
    } else if (this.enterArray()) {
      for (let more = this.nextElement(true); more; more = this.nextElement(false)) this.skip(depth + 1);
    } else {
      this.readBare();
      if (!SCALAR.test(this.bytes.toString('latin1', this.from, this.to))) this.#fail();
    }
  }

  /** Over what a sticky pattern finds next in the bytes, taken as Latin-1; null, and nowhere, where it does not. */
  match(pattern: RegExp): RegExpExecArray | null {
    this.#next();
    this.#text ??= this.bytes.toString('latin1');
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  /** Over whatever comes next; its text as it is written. */
  raw(): string {
    this.#next();
    const from = this.#at;
    this.skip();
    return this.bytes.toString('utf8', from, this.#at);
  }

  /** The last scalar as text. */
  text(): string {
    const { bytes, from, to } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === BACKSLASH) return JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string;
      if (byte > 0x7e) return bytes.toString('utf8', from, to);
    }
    return bytes.toString('latin1', from, to);
  }

  /** Nothing may follow a document. */
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

  /** The byte that comes next, over white space; -1 at the end. Never reads past it: that would slow down every read. */
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
