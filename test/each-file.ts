/** Vitest runs this module again for every test file, so that each file cleans up after itself. */
import { afterAll } from 'vitest';
import { runCleanUps } from './clean-up.ts';
import { forgetMissingPrograms } from './needs.ts';

forgetMissingPrograms();
afterAll(runCleanUps);
