/** Writes zip files of up to 4 GB, in the form of the SEC's bulk files. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

const LOCAL_HEADER_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const CENTRAL_HEADER_START = Buffer.from('PK\x01\x02\x14\x00', 'latin1');
const END_RECORD_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Writes members one after the other; a large member can be written in pieces.
 *
 * @param {string} path
 */
export function openZipFile(path) {
  const outputDescriptor = openSync(path, 'w');
  /** @type {Buffer[]} */
  const centralDirectoryEntries = [];
  let offset = 0;
  const writeBytes = (/** @type {Buffer} */ bytes) => {
    writeSync(outputDescriptor, bytes);
    offset += bytes.length;
  };
  const addDirectoryEntry = (/** @type {Buffer} */ name, /** @type {Buffer} */ fields, /** @type {number} */ at) => {
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    centralDirectoryEntries.push(Buffer.concat([CENTRAL_HEADER_START, fields, tail, name]));
  };
  return {
    /**
     * Adds a complete member.
     *
     * @param {string} text the name of the member
     * @param {string | Buffer} content
     */
    whole(text, content) {
      const [name, plain] = [Buffer.from(text), Buffer.from(content)];
      const packedContent = deflateRawSync(plain, { level: 1 });
      const fields = makeFields(name, crc32(plain), packedContent.length, plain.length);
      addDirectoryEntry(name, fields, offset);
      writeBytes(Buffer.concat([LOCAL_HEADER_SIGNATURE, fields, name, packedContent]));
    },
    /**
     * Adds a member of another zip file in its packed form.
     *
     * @param {string} text the name of the member
     * @param {{ packed: Buffer, crc32: number, size: number }} content deflated bytes, with checksum and size of the
     * unpacked content
     */
    packed(text, { packed, crc32: sum, size }) {
      const name = Buffer.from(text);
      const fields = makeFields(name, sum, packed.length, size);
      addDirectoryEntry(name, fields, offset);
      writeBytes(Buffer.concat([LOCAL_HEADER_SIGNATURE, fields, name, packed]));
    },
    /**
     * Adds a member in pieces; its checksum and sizes are written to its header at the end.
     *
     * @param {string} text the name of the member
     */
    async member(text) {
      const name = Buffer.from(text);
      const headerOffset = offset;
      writeBytes(Buffer.concat([LOCAL_HEADER_SIGNATURE, Buffer.alloc(26), name]));
      const contentStart = offset;
      const deflate = createDeflateRaw({ level: 6 });
      deflate.on('data', writeBytes);
      let [sum, size] = [0, 0];
      return {
        /** @param {string} part */
        write(part) {
          const bytes = Buffer.from(part);
          sum = crc32(bytes, sum);
          size += bytes.length;
          return new Promise((done) => deflate.write(bytes, done));
        },
        async end() {
          await new Promise((done) => deflate.on('end', done).end());
          const fields = makeFields(name, sum, offset - contentStart, size);
          writeSync(outputDescriptor, fields, 0, fields.length, headerOffset + 4);
          addDirectoryEntry(name, fields, headerOffset);
        },
      };
    },
    /** Writes the directory; no member can be added afterwards. */
    end() {
      const centralDirectoryBytes = Buffer.concat(centralDirectoryEntries);
      const endRecord = Buffer.alloc(18);
      endRecord.writeUInt16LE(centralDirectoryEntries.length, 4);
      endRecord.writeUInt16LE(centralDirectoryEntries.length, 6);
      endRecord.writeUInt32LE(centralDirectoryBytes.length, 8);
      endRecord.writeUInt32LE(offset, 12);
      writeBytes(Buffer.concat([centralDirectoryBytes, END_RECORD_SIGNATURE, endRecord]));
      closeSync(outputDescriptor);
    },
  };
}

/**
 * Returns the common fields of a member's header and its directory entry.
 *
 * @param {Buffer} name
 * @param {number} sum
 * @param {number} packed
 * @param {number} plain
 */
function makeFields(name, sum, packed, plain) {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(sum, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(plain, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
