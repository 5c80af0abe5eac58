/**
 * Reads any structure of Thrift's compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
 */

export type Fields = ReadonlyMap<number, unknown>;
export interface List {
  readonly itemType: number;
  readonly items: readonly unknown[];
}

/** Returns the fields of a structure. Throws if the bytes end before the structure does, or continue after it. */
export function readStructure(bytes: Uint8Array): Fields {
  let at = 0;
  const byte = () => {
    const value = bytes[at];
    at += 1;
    if (value === undefined) throw new RangeError('a structure ends too late');
    return value;
  };
  const unsigned = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const next = byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
      factor *= 128;
    }
  };
  const signed = () => {
    const value = unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const binary = () => {
    const length = unsigned();
    at += length;
    return Buffer.from(bytes.subarray(at - length, at)).toString();
  };
  const list = (): List => {
    const head = byte();
    const length = head >> 4 < 15 ? head >> 4 : unsigned();
    return { itemType: head & 15, items: Array.from({ length }, () => value(head & 15)) };
  };
  const value = (type: number): unknown => {
    if (type === 1 || type === 2) return type === 1;
    if (type >= 4 && type <= 6) return signed();
    if (type === 8) return binary();
    if (type === 9) return list();
    if (type === 12) return structure();
    throw new TypeError(`a footer has a field of type ${type}`);
  };
  const structure = (): Fields => {
    const fields = new Map<number, unknown>();
    let id = 0;
    for (let head = byte(); head !== 0; head = byte()) {
      id += head >> 4;
      fields.set(id, value(head & 15));
    }
    return fields;
  };
  const fields = structure();
  if (at !== bytes.length) throw new RangeError(`${bytes.length - at} bytes follow the structure`);
  return fields;
}
