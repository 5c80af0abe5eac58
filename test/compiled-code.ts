/**
 * A cache of compiled code that all home directories of a test run share: without it, compiling takes a quarter of a
 * short command's time. Vitest calls `setup` before the first test file.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    compiledCode: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'fin-code-'));
  provide('compiledCode', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Creates the directory `cache`, in which `code` is a link to the shared cache of compiled code. */
export function shareCompiledCode(cache: string): void {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  symlinkSync(inject('compiledCode'), join(cache, 'code'));
}
