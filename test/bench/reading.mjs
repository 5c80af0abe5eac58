/**
 * Measures how the documents beside the clone are read: node test/bench/reading.mjs [--documents <zip>] [--only <name>] [--detail]
 *
 * Prints, for each form and decade, how many items are listed, proven, by reference, in page ranges and refused; then
 * the reasons, and how proven lengths compare with the known ones (`*.truth.json`: characters of HTML source). Then
 * falsifies documents (a heading deleted, its "Item N" deleted, a twin inserted) and counts false proofs. `--only` reads
 * the documents whose name contains a text, `--detail` prints each refused item and each wrong length.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadReading, readDocuments } from './reading/documents.mjs';
import { measureKnownLengths } from './reading/known-lengths.mjs';
import { falsify } from './reading/mutations.mjs';
import { measureSpeed } from './reading/speed.mjs';
