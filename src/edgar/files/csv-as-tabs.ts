/**
 * Some copies of the data sets are comma-separated with quoted cells. Their bytes, as the tab-separated
 * tables that the readers read: quotes go, and tabs and line ends inside a cell become spaces.
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export async function* csvAsTabs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let quoted = false;
  /** The last byte was a quote inside a quoted cell: its end, or the first half of a doubled one. */
  let closing = false;
  for await (const chunk of chunks) {
    const out = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (closing) {
        closing = false;
        if (byte === QUOTE) {
          out[length++] = QUOTE;
          continue;
        }
        quoted = false;
      }
      if (quoted) {
        if (byte === QUOTE) closing = true;
        else out[length++] = byte === TAB || byte === LF || byte === CR ? SPACE : byte;
      } else if (byte === QUOTE) quoted = true;
      else out[length++] = byte === COMMA ? TAB : byte === TAB ? SPACE : byte;
    }
    yield out.subarray(0, length);
  }
}
