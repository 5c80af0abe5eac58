/**
 * Compiled code of the built program, of all homes of one test run: compiling is a quarter of a short command. Vitest
 * calls `setup` before the first test file.
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

/** Lets a program with this cache directory, which is made, use what programs with others compiled. */
export function shareCompiledCode(cache: string): void {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  symlinkSync(inject('compiledCode'), join(cache, 'code'));
}
