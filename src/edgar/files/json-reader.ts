/**
 * A pull parser for JSON bytes. JSON.parse would round figures to doubles, and create an object for every row of
 * company facts although half of the rows are only counted. Measurements: see "Measured" in `src/edgar/README.md`.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const SCALAR_PATTERN = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const ESCAPE_PATTERN = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
/** Maximum nesting depth: deeper than any public file, and safe for recursion. */
const MAX_DEPTH = 100;

export class JsonReader {
  /** Byte offsets of the last key or scalar that was read, without quotation marks. */
  tokenStart = 0;
  tokenEnd = 0;
  #position = 0;
  #text: string | undefined;
  /** Whether an object or array was just entered, so that no comma precedes its next key or element. */
  #isFirst = false;

  constructor(readonly bytes: Buffer) {}

  /** Enters the next value if it is an object; otherwise returns false and does not advance. */
  enterObject(): boolean {
    return this.#enter(OPEN_OBJECT);
  }

  enterArray(): boolean {
    return this.#enter(OPEN_ARRAY);
  }

  /** Reads the object's next key, which `getText` then returns. Returns false at the end of the object. */
  moveToNextKey(): boolean {
    if (!this.#hasNext(CLOSE_OBJECT)) return false;
    if (!this.readString()) this.#fail();
    if (this.#peekNonSpace() !== COLON) this.#fail();
    this.#position++;
    return true;
  }

  /** Advances to the array's next element; returns false at the end of the array. */
  moveToNextElement(): boolean {
    return this.#hasNext(CLOSE_ARRAY);
  }

  /** Calls `visit` for each member of the next object; skips any other value and returns false. */
  visitMembers(visit: (key: string) => void): boolean {
    const isObject = this.enterObject();
    if (isObject) while (this.moveToNextKey()) visit(this.getText());
    else this.skip();
    return isObject;
  }

  /** Reads the next value if it is a string; otherwise returns false and does not advance. */
  readString(): boolean {
    if (this.#peekNonSpace() !== QUOTE) return false;
    const { bytes } = this;
    let position = this.#position + 1;
    this.tokenStart = position;
    for (let byte = bytes[position]; byte !== QUOTE; byte = bytes[position]) {
      // Fails at the end of the input, and for control characters, which JSON does not allow in strings.
      if (byte === undefined || byte < 0x20) this.#fail();
      position += byte === BACKSLASH ? this.#measureEscape(position) : 1;
    }
    this.tokenEnd = position;
    this.#position = position + 1;
    return true;
  }

  /**
   * Reads the next value if it is a number, true, false or null, without validating it. Returns false for a string,
   * object or array.
   */
  readScalar(): boolean {
    const firstByte = this.#peekNonSpace();
    if (firstByte === QUOTE || firstByte === OPEN_OBJECT || firstByte === OPEN_ARRAY) return false;
    const { bytes } = this;
    let position = this.#position;
    // Accepts digits, letters, signs and the decimal point, but no character that may follow a JSON scalar.
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

  skip(depth = 0): void {
    if (this.readString()) return;
    if (depth > MAX_DEPTH) throw new SyntaxError(`its values are nested more than ${MAX_DEPTH} levels deep`);
    if (this.enterObject()) while (this.moveToNextKey()) this.skip(depth + 1);
    else if (this.enterArray()) while (this.moveToNextElement()) this.skip(depth + 1);
    else {
      this.readScalar();
      if (!SCALAR_PATTERN.test(this.bytes.toString('latin1', this.tokenStart, this.tokenEnd))) this.#fail();
    }
  }

  /**
   * Matches a sticky pattern at the current position, with bytes decoded as Latin-1. If there is no match, returns null
   * and does not advance.
   */
  match(pattern: RegExp): RegExpExecArray | null {
    this.#peekNonSpace();
    this.#text ??= this.bytes.toString('latin1');
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#position = pattern.lastIndex;
    return match;
  }

  /** Skips the next value and returns its JSON text. */
  readRaw(): string {
    this.#peekNonSpace();
    const start = this.#position;
    this.skip();
    return this.bytes.toString('utf8', start, this.#position);
  }

  /** Returns the last key or scalar that was read, as decoded text. */
  getText(): string {
    const { bytes, tokenStart, tokenEnd } = this;
    for (let position = tokenStart; position < tokenEnd; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === BACKSLASH) return JSON.parse(`"${bytes.toString('utf8', tokenStart, tokenEnd)}"`) as string;
      if (byte > 0x7e) return bytes.toString('utf8', tokenStart, tokenEnd);
    }
    return bytes.toString('latin1', tokenStart, tokenEnd);
  }

  /** Throws SyntaxError if other text follows the JSON document. */
  expectEnd(): void {
    if (this.#peekNonSpace() !== -1) this.#fail();
  }

  /** Returns the number of bytes of an escape sequence; fails if JSON does not define the sequence. */
  #measureEscape(position: number): number {
    const [sequence = ''] = ESCAPE_PATTERN.exec(this.bytes.toString('latin1', position, position + 6)) ?? [];
    if (sequence === '') this.#fail();
    return sequence.length;
  }

  #enter(bracket: number): boolean {
    if (this.#peekNonSpace() !== bracket) return false;
    this.#position++;
    this.#isFirst = true;
    return true;
  }

  #hasNext(bracket: number): boolean {
    const byte = this.#peekNonSpace();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (byte === bracket) {
      this.#position++;
      return false;
    }
    if (isFirst) return true;
    if (byte !== COMMA) this.#fail();
    this.#position++;
    return true;
  }

  /**
   * Returns the next byte that is not white space; -1 at the end. Reading beyond the end would make V8 deoptimize all
   * reads.
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
    throw new SyntaxError(`it has a JSON syntax error at byte ${this.#position}`);
  }
}
