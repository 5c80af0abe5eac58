/** Runs for every test file, unlike the modules that test files share. */
import { afterAll } from 'vitest';
import { runCleanUps } from './clean-up.ts';

afterAll(runCleanUps);
