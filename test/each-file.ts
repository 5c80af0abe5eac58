/** Runs for every test file; other modules are shared by all test files. */
import { afterAll } from 'vitest';
import { runCleanUps } from './clean-up.ts';

afterAll(runCleanUps);
