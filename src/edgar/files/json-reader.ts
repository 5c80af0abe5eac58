/**
 * A pull parser for JSON in bytes. JSON.parse would round figures to doubles, and create an object for every row of
 * company facts, half of which are only counted; the README of this room has the measurements.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const SCALAR_PATTERN = /^(?:-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Maximum depth: more than any public file, and safe for the stack. */
const MAX_DEPTH = 100;

export class JsonReader {
  readonly bytes: Buffer;
  /** Start and end of the last scalar; for a string without its quotes. */
  tokenStart = 0;
  tokenEnd = 0;
  #position = 0;
  #text: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Enters the next value if it is an object; otherwise returns false without moving. */
  enterObject(): boolean {
    return this.#enter(OPEN_OBJECT);
  }

  enterArray(): boolean {
    return this.#enter(OPEN_ARRAY);
  }

  /**
   * Moves to the object's next key, which becomes the last scalar; false at its end. `isFirst`: the object was just
   * entered.
   */
  nextKey(isFirst: boolean): boolean {
    if (!this.#hasNext(CLOSE_OBJECT, isFirst)) return false;
    if (!this.readString()) this.#fail();
    if (this.#peekNonSpace() !== COLON) this.#fail();
    this.#position++;
    return true;
  }

  /** Moves to the array's next element; false at its end. `isFirst`: the array was just entered. */
  nextElement(isFirst: boolean): boolean {
    return this.#hasNext(CLOSE_ARRAY, isFirst);
  }

  /** Reads the next value if it is a string; otherwise returns false without moving. */
  readString(): boolean {
    if (this.#peekNonSpace() !== QUOTE) return false;
    const { bytes } = this;
    let position = this.#position + 1;
    this.tokenStart = position;
    for (let byte = bytes[position]; byte !== QUOTE; byte = bytes[position]) {
      // Undefined at the end of the bytes; JSON allows no control characters in strings.
      if (byte === undefined || byte < 0x20) this.#fail();
      position += byte === BACKSLASH ? 2 : 1;
    }
    this.tokenEnd = position;
    this.#position = position + 1;
    return true;
  }

  /** Reads the next value if it is a number, true, false or null; otherwise returns false without moving. */
  readScalar(): boolean {
    const firstByte = this.#peekNonSpace();
    if (firstByte === QUOTE || firstByte === OPEN_OBJECT || firstByte === OPEN_ARRAY) return false;
    const { bytes } = this;
    let position = this.#position;
    // The range has digits, letters, signs and the dot; every character that may follow a number or word is outside
    // it.
    for (let byte = bytes[position]; byte !== undefined && byte > COMMA - 2 && byte !== COMMA; byte = bytes[position]) {
      if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COLON) break;
      position++;
    }
    this.tokenStart = this.#position;
    this.tokenEnd = position;
    this.#position = position;
    if (this.tokenStart === position) this.#fail();
    return true;
  }

  /** Skips the next value. */
  skip(depth = 0): void {
    if (this.readString()) return;
    if (depth > MAX_DEPTH) throw new SyntaxError('its values are nested too deeply');
    if (this.enterObject()) {
      for (let hasKey = this.nextKey(true); hasKey; hasKey = this.nextKey(false)) this.skip(depth + 1);
    } else if (this.enterArray()) {
      for (let hasElement = this.nextElement(true); hasElement; hasElement = this.nextElement(false))
        this.skip(depth + 1);
    } else {
      this.readScalar();
      if (!SCALAR_PATTERN.test(this.bytes.toString('latin1', this.tokenStart, this.tokenEnd))) this.#fail();
    }
  }

  /**
   * Matches a sticky pattern at the current position, reading the bytes as Latin-1; if it does not match, returns
   * null without moving.
   */
  match(pattern: RegExp): RegExpExecArray | null {
    this.#peekNonSpace();
    this.#text ??= this.bytes.toString('latin1');
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#position = pattern.lastIndex;
    return match;
  }

  /** Skips the next value and returns it as written. */
  readRaw(): string {
    this.#peekNonSpace();
    const start = this.#position;
    this.skip();
    return this.bytes.toString('utf8', start, this.#position);
  }

  /** Returns the last scalar as text. */
  text(): string {
    const { bytes, tokenStart, tokenEnd } = this;
    for (let position = tokenStart; position < tokenEnd; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === BACKSLASH) return JSON.parse(`"${bytes.toString('utf8', tokenStart, tokenEnd)}"`) as string;
      if (byte > 0x7e) return bytes.toString('utf8', tokenStart, tokenEnd);
    }
    return bytes.toString('latin1', tokenStart, tokenEnd);
  }

  /** Throws SyntaxError if anything follows the document. */
  expectEnd(): void {
    if (this.#peekNonSpace() !== -1) this.#fail();
  }

  #enter(bracket: number): boolean {
    if (this.#peekNonSpace() !== bracket) return false;
    this.#position++;
    return true;
  }

  #hasNext(closingBracket: number, isFirst: boolean): boolean {
    const byte = this.#peekNonSpace();
    if (byte === closingBracket) {
      this.#position++;
      return false;
    }
    if (isFirst) return true;
    if (byte !== COMMA) this.#fail();
    this.#position++;
    return true;
  }

  /**
   * Returns the next byte that is not white space; -1 at the end. Never reads past the end, which would make V8 slow
   * down every read.
   */
  #peekNonSpace(): number {
    const { bytes } = this;
    const byte = this.#position < bytes.length ? (bytes[this.#position] ?? -1) : -1;
    return byte > 0x20 ? byte : this.#peekSkippingSpace();
  }

  #peekSkippingSpace(): number {
    const { bytes } = this;
    for (; this.#position < bytes.length; this.#position++) {
      const byte = bytes[this.#position] ?? -1;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    }
    return -1;
  }

  #fail(): never {
    throw new SyntaxError(`it is not valid JSON, at byte ${this.#position}`);
  }
}
