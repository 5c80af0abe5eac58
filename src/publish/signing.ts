/** Ed25519 keys and signatures of pointers. A private key is a PEM file; a public key is 32 bytes in base64. */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Failure, isFailure } from '../contract/failure.ts';
import { quote, quoteShellWord } from '../contract/text/quote.ts';
import { openRegularFile } from '../platform/files/regular-file.ts';
import { makeSystemFailure, readErrorCode } from '../platform/files/system-error.ts';
import { encodeSignedFields, type ReleasePointer } from './format.ts';

/**
 * Creates a key pair, writes the private key to a new file, and returns the public key. Throws a usage Failure if the
 * file exists or cannot be written.
 */
export function writeNewKeyPair(file: string) {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writeNewFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  } catch (cause) {
    if (readErrorCode(cause) !== 'EEXIST')
      throw makeSystemFailure('usage', `The key cannot be written to ${file}`, cause);
    throw new Failure('usage', `The file ${file} already exists.`, {
      hint: 'A key file is never overwritten, because users who have the old public key would refuse releases signed with the new key. Give another file name.',
    });
  }
  return describePublicKey(privateKey);
}

/**
 * Writes a new file that only its owner can read. Removes the file if writing fails, because an empty file would block
 * the next attempt.
 */
function writeNewFile(file: string, content: string | Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    // The umask may have removed permissions of the owner.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, content, { flush: true });
  } catch (cause) {
    rmSync(file, { force: true });
    throw cause;
  } finally {
    closeSync(descriptor);
  }
}

/** Maximum size of a file with a private key in bytes. */
const MAX_KEY_BYTES = 65_536;

/**
 * Reads a private key. Throws a usage Failure if the file is not a private Ed25519 key, or if other users can read the
 * file.
 */
export function readPrivateKey(file: string): KeyObject {
  const key = parsePrivateKey(readPrivateFile(file));
  if (key !== null) return key;
  throw new Failure('usage', `${file} is not an Ed25519 private key in PEM format.`, {
    hint: 'Make a key with: fin data keygen <file>',
  });
}

function readPrivateFile(file: string): string {
  try {
    const descriptor = openRegularFile(file);
    try {
      if (process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0) {
        throw new Failure('usage', `Other users can read the private key ${file}.`, {
          hint: `To prevent that: chmod 600 ${quoteShellWord(file)}`,
        });
      }
      if (fstatSync(descriptor).size > MAX_KEY_BYTES) throw new RangeError(`it is larger than ${MAX_KEY_BYTES} bytes`);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    throw makeSystemFailure('usage', `The private key ${file} cannot be read`, cause);
  }
}

function parsePrivateKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/**
 * Describes the public half of a private key, or the public key itself: `text` is the key in base64, as users enter it;
 * `id` is its id in signatures.
 */
export function describePublicKey(key: KeyObject) {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  const bytes = Buffer.from(String(x), 'base64url');
  return { text: bytes.toString('base64'), id: hash('sha256', bytes, 'hex').slice(0, 16) };
}

/** Parses a public key. Throws a usage Failure if the text is not 32 bytes in base64. */
export function parsePublicKey(text: string): KeyObject {
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim()) ? Buffer.from(text.trim(), 'base64') : Buffer.alloc(0);
  if (bytes.length === 32) {
    try {
      return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
    } catch {
      // The error for an invalid key is thrown below.
    }
  }
  throw new Failure('usage', `${quote(text)} is not a public key.`, {
    hint: 'A public key has 44 characters; "fin data keygen" prints it.',
  });
}

export function signPointer(pointer: ReleasePointer, key: KeyObject): ReleasePointer {
  const value = sign(null, encodeSignedFields(pointer), key).toString('base64');
  return { ...pointer, signature: { algorithm: 'Ed25519', key: describePublicKey(key).id, value } };
}

/**
 * Returns why a pointer's signature is not valid for this key, as the end of a sentence; null if the signature is
 * valid.
 */
export function findSignatureFault({ signature, ...unsignedPointer }: ReleasePointer, key: KeyObject): string | null {
  if (signature === undefined) return 'it is not signed';
  const { id } = describePublicKey(key);
  if (signature.key !== id) return `it is signed with the key ${signature.key} instead of ${id}`;
  const isValid = verify(null, encodeSignedFields(unsignedPointer), key, Buffer.from(signature.value, 'base64'));
  return isValid ? null : 'its signature is wrong';
}
