/**
 * Reads any structure of Thrift's compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
 */

export type FieldsById = ReadonlyMap<number, unknown>;
export interface ThriftList {
  readonly itemType: number;
  readonly items: readonly unknown[];
}

/** Returns the fields of a structure. Throws if the bytes end before the structure does, or continue after it. */
export function readStructure(bytes: Uint8Array): FieldsById {
  let offset = 0;
  const readByte = () => {
    const value = bytes[offset];
    offset += 1;
    if (value === undefined) throw new RangeError('the bytes end within a structure');
    return value;
  };
  const readUnsigned = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const nextByte = readByte();
      value += (nextByte & 127) * factor;
      if (nextByte < 128) return value;
      factor *= 128;
    }
  };
  const readSigned = () => {
    const value = readUnsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const readBinary = () => {
    const length = readUnsigned();
    offset += length;
    return Buffer.from(bytes.subarray(offset - length, offset)).toString();
  };
  const readList = (): ThriftList => {
    const header = readByte();
    const length = header >> 4 < 15 ? header >> 4 : readUnsigned();
    return { itemType: header & 15, items: Array.from({ length }, () => readValue(header & 15)) };
  };
  const readValue = (type: number): unknown => {
    if (type === 1 || type === 2) return type === 1;
    if (type >= 4 && type <= 6) return readSigned();
    if (type === 8) return readBinary();
    if (type === 9) return readList();
    if (type === 12) return readFields();
    throw new TypeError(`a footer has a field of type ${type}`);
  };
  const readFields = (): FieldsById => {
    const fields = new Map<number, unknown>();
    let id = 0;
    for (let header = readByte(); header !== 0; header = readByte()) {
      id += header >> 4;
      fields.set(id, readValue(header & 15));
    }
    return fields;
  };
  const fields = readFields();
  if (offset !== bytes.length) throw new RangeError(`${bytes.length - offset} bytes follow the structure`);
  return fields;
}
